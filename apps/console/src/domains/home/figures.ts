import type { HomeSummary } from '@campanile/contract/home'

export interface Figure {
  name: 'organisations' | 'administrators' | 'signedInToday' | 'locked' | 'exports'
  value: number
  /** The rows the figure counts. */
  to: string
  /** Text key of the line below it, with its count. */
  sub: { key: string; count?: number }
  /** Somebody has to do something about it. */
  urgent: boolean
}

/** Figures the person may see, each with the list it counts. */
export const figuresOf = ({ figures }: HomeSummary, since: string, mayUnlock = true): Figure[] => {
  const { organisations, administrators, signIns, locked, exports } = figures
  const calm = { urgent: false }
  const all: (Figure | false)[] = [
    organisations !== null && {
      ...calm,
      name: 'organisations',
      value: organisations,
      to: '/org/list',
      sub: { key: 'organisations' },
    },
    administrators !== null && {
      ...calm,
      name: 'administrators',
      value: administrators,
      to: '/system/user',
      sub: { key: 'administrators' },
    },
    signIns !== null && {
      ...calm,
      name: 'signedInToday',
      value: signIns.people,
      to: `/system/log?${new URLSearchParams({ type: 'signIn', result: 'success', startTime: since })}`,
      sub: { key: 'signIns', count: signIns.times },
    },
    locked !== null && {
      name: 'locked',
      value: locked,
      to: '/system/user?loginStatus=locked',
      sub: { key: locked === 0 ? 'lockedNone' : mayUnlock ? 'lockedSome' : 'lockedSeen' },
      urgent: locked > 0,
    },
    exports !== null && {
      ...calm,
      name: 'exports',
      value: exports,
      to: '/IOT/files/list?type=export&state=inProgress',
      sub: { key: exports > 0 ? 'exportsSome' : 'exportsNone' },
    },
  ]
  return all.filter((figure) => figure !== false)
}
