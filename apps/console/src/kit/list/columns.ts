import type { Resource } from '@campanile/contract/kit'

export const densities = ['compact', 'normal', 'roomy'] as const
export type Density = (typeof densities)[number]

/** How one person arranged the columns. `order` also says which columns existed then. */
export interface ColumnSettings {
  order: string[]
  hidden: string[]
  pinned: string[]
  /** Absent: as the whole console. */
  density?: Density
}

export const defaultColumns = (resource: Resource): ColumnSettings => ({
  order: [...resource.list.columns],
  hidden: [...(resource.list.hidden ?? [])],
  pinned: [],
})

const texts = (value: unknown): string[] | undefined =>
  Array.isArray(value) && value.every((each) => typeof each === 'string') ? value : undefined

/**
 * Brings stored settings to the declaration of today: columns that are gone go, columns that are new appear where the
 * declaration has them, the identity stays first and in sight.
 */
export const settleColumns = (resource: Resource, stored: unknown): ColumnSettings => {
  const initial = defaultColumns(resource)
  const saved = (typeof stored === 'object' && stored !== null ? stored : {}) as Record<string, unknown>
  const savedOrder = texts(saved.order)
  if (savedOrder === undefined) return initial

  const order = savedOrder.filter((name, index) => initial.order.includes(name) && savedOrder.indexOf(name) === index)
  const fresh = initial.order.filter((name) => !order.includes(name))
  for (const name of fresh) {
    const before = initial.order.slice(0, initial.order.indexOf(name)).findLast((each) => order.includes(each))
    order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, name)
  }
  const others = order.filter((name) => name !== resource.identity)
  const known = (names: string[] | undefined) => (names ?? []).filter((name) => others.includes(name))
  const density = densities.find((each) => each === saved.density)
  return {
    order: order.includes(resource.identity) ? [resource.identity, ...others] : others,
    hidden: [...known(texts(saved.hidden)), ...initial.hidden.filter((name) => fresh.includes(name))],
    pinned: known(texts(saved.pinned)),
    ...(density === undefined ? {} : { density }),
  }
}

export const visibleColumns = ({ order, hidden, pinned }: ColumnSettings, identity: string): string[] => {
  const shown = order.filter((name) => !hidden.includes(name))
  const stays = (name: string) => name === identity || pinned.includes(name)
  return [...shown.filter(stays), ...shown.filter((name) => !stays(name))]
}

/** One step for the buttons, any distance for the drag; the identity's place is not for sale. */
export const moveColumn = (settings: ColumnSettings, name: string, to: number, identity: string): ColumnSettings => {
  const others = settings.order.filter((each) => each !== name)
  const first = others[0] === identity ? 1 : 0
  if (name === identity) return settings
  others.splice(Math.max(first, Math.min(to, others.length)), 0, name)
  return { ...settings, order: others }
}

/** Hides or shows, pins or lets go. */
export const toggleColumn = (settings: ColumnSettings, how: 'hidden' | 'pinned', name: string): ColumnSettings => {
  const names = settings[how]
  return { ...settings, [how]: names.includes(name) ? names.filter((each) => each !== name) : [...names, name] }
}
