import type { HomeSummary } from '@campanile/contract/home'

export interface Figure {
  name: 'organisations' | 'administrators' | 'signedInToday' | 'exports'
  value: number
  /** The rows the figure counts. */
  to: string
  /** Text key of the line below it, with its count. */
  sub: { key: string; count?: number }
}

/** Figures the person may see, each with the list it counts. */
export const figuresOf = ({ figures }: HomeSummary, since: string): Figure[] => {
  const { organisations, administrators, signIns, exports } = figures
  const all: (Figure | false)[] = [
    organisations !== null && {
      name: 'organisations',
      value: organisations,
      to: '/org/list',
      sub: { key: 'organisations' },
    },
    administrators !== null && {
      name: 'administrators',
      value: administrators,
      to: '/system/user',
      sub: { key: 'administrators' },
    },
    signIns !== null && {
      name: 'signedInToday',
      value: signIns.people,
      to: `/system/log?${new URLSearchParams({ type: 'signIn', result: 'success', startTime: since })}`,
      sub: { key: 'signIns', count: signIns.times },
    },
    exports !== null &&
      exports > 0 && {
        name: 'exports',
        value: exports,
        to: '/IOT/files/list?type=export&state=inProgress',
        sub: { key: 'exportsSome' },
      },
  ]
  return all.filter((figure) => figure !== false)
}
