import type { FieldKind, Resource } from '@campanile/contract/kit'
import { type FoundKind, type FoundRow, viewKind } from '@campanile/contract/search'
import { Fragment, type ReactNode } from 'react'
import { renderCell } from '../../kit/cells.tsx'
import type { Reader } from '../../kit/reader.ts'
import { isBlank } from '../../kit/values.ts'
import { loadDeclared } from '../declared.ts'
import type { IconName } from '../icons.tsx'
import type { MenuRoute } from '../navigation/menu.ts'
import type { Kind, KindVerb, Tools } from './kinds.ts'
import type { Entry, EntryKind } from './match.ts'

export interface Verb {
  readonly id: string
  readonly label: string
  readonly letter?: string
  readonly danger?: boolean
  readonly run: () => unknown
}

/** One line that can be chosen. */
export interface Option {
  readonly id: string
  readonly icon: IconName
  readonly title: string
  /** Serial numbers, numbers of tasks. */
  readonly mono?: boolean
  readonly beside?: ReactNode
  readonly below?: ReactNode
  readonly end?: ReactNode
  readonly run: () => unknown
  readonly verbs: readonly Verb[]
}

export interface Group {
  readonly id: string
  readonly title: string
  /** How many of how many, and the way to all of them. */
  readonly shown?: string
  readonly all?: () => unknown
  readonly options: readonly Option[]
}

const iconOf: Record<EntryKind, IconName> = {
  recent: 'clock',
  screen: 'template',
  setting: 'config',
  command: 'right',
  help: 'keyboard',
}

export const optionOf = (entry: Entry): Option => ({
  id: entry.id,
  icon: entry.icon ?? iconOf[entry.kind],
  title: entry.title,
  beside: entry.hint,
  run: entry.run,
  verbs: [],
})

/** Where the list of a kind stands in this person's menu. */
export const listPathOf = (resource: Resource, routes: readonly MenuRoute[]): string | undefined =>
  routes.find(({ node, dynamic, redirect }) => node.perms === resource.perms.list && !dynamic && redirect === undefined)
    ?.path

const asked = (path: string, field: string, text: string) => `${path}?${new URLSearchParams({ [field]: text })}`

/** The filter of the list that shows what the palette has found, and how many that are. */
const filterOf = ({ list }: Resource, { fields, total }: FoundKind) => {
  if (list.search) return { field: 'search', total }
  return fields
    .filter(({ field }) => list.filters.includes(field))
    .sort((a, b) => b.total - a.total)
    .at(0)
}

const pageOf = ({ palette, identity }: Resource, row: FoundRow, tools: Tools): string | undefined => {
  if (!palette?.opens || !tools.permitted(palette.opens.perm)) return undefined
  const values: Record<string, unknown> = { ...row.tells, [identity]: row.name, id: row.id }
  return palette.opens.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values[name])))
}

/** Its page; where it has none, or it may not be opened, the list with this row alone. */
const wayTo = (resource: Resource, row: FoundRow, tools: Tools, list: string | undefined): string | undefined => {
  const page = pageOf(resource, row, tools)
  if (page !== undefined || list === undefined) return page ?? list
  const { search, filters } = resource.list
  const field = search ? 'search' : filters.includes(resource.identity) ? resource.identity : undefined
  return field === undefined ? list : asked(list, field, `"${row.name}"`)
}

/** Figures, days and bare marks go with their names. */
const saysLittle: readonly FieldKind[] = ['number', 'decimal', 'money', 'switch', 'timestamp', 'date']

/** Everything that is told of a row, in its order, with the field it was found by when that is not its name. */
const told = (row: FoundRow, reader: Reader): ReactNode =>
  joined([
    ...Object.entries(row.tells).map(([name, value]) => {
      const field = reader.resource.fields[name]
      if (field === undefined || isBlank(value)) return null
      const cell = renderCell({ value, name, field, reader, row: { id: row.id, ...row.tells } })
      return saysLittle.includes(field.kind) ? (
        <>
          {reader.field(name)} {cell}
        </>
      ) : (
        cell
      )
    }),
    foundIn(row, reader),
  ])

/** `IMEI 8675309…` where that is what was looked for. */
export const foundIn = ({ field, value }: FoundRow, reader: Reader): ReactNode =>
  field === reader.resource.identity || reader.resource.palette?.tells.includes(field)
    ? null
    : `${reader.field(field)} ${value}`

/** Parts with dots between them. */
export const joined = (parts: readonly ReactNode[]): ReactNode =>
  parts
    .filter((part) => part !== null && part !== undefined && part !== '')
    .map((part, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one line never change places
      <Fragment key={at}>
        {at > 0 && ' · '}
        {part}
      </Fragment>
    ))

interface Finding {
  readonly tools: Tools
  readonly routes: readonly MenuRoute[]
  readonly kinds: Readonly<Record<string, Kind>>
  readonly readers: Readonly<Record<string, Reader>>
  readonly wanted: string
  /** What was typed before the name: then that is what choosing a row does. */
  readonly meant?: readonly KindVerb[]
  readonly text: (key: string, values?: Record<string, unknown>) => string
}

const verbsOf = (verbs: readonly KindVerb[], row: FoundRow): Verb[] =>
  verbs.map(({ run, ...verb }) => ({ ...verb, run: () => run(row) }))

/** Rows of one kind that the server has found. */
export const groupOf = (found: FoundKind, finding: Finding): Group | undefined => {
  const { tools, routes, kinds, readers, wanted, text } = finding
  const kind = kinds[found.kind]
  const reader = readers[found.kind]
  if (!kind || !reader) return undefined
  const { resource } = kind
  const list = listPathOf(resource, routes)
  const filter = filterOf(resource, found)
  const verbs = kind.verbs?.(tools) ?? []
  const all = list !== undefined && filter && found.total > found.rows.length
  const count = found.more
    ? text('palette.moreThan', { total: reader.number(found.total) })
    : reader.number(found.total)
  return {
    id: found.kind,
    title: reader.title,
    ...(found.total > found.rows.length && { shown: text('palette.shown', { shown: found.rows.length, count }) }),
    ...(all && { all: () => tools.navigate(asked(list, filter.field, wanted)) }),
    options: found.rows.map((row) => ({
      id: `${found.kind} ${row.id}`,
      icon: kind.icon ?? 'log',
      title: row.name,
      mono: resource.fields[resource.identity]?.kind === 'mono',
      beside: kind.beside?.(row, reader),
      below: kind.below ? joined([kind.below(row, reader), foundIn(row, reader)]) : told(row, reader),
      end: kind.end?.(row, reader),
      run: () => {
        const way = wayTo(resource, row, tools, list)
        if (way !== undefined) void tools.navigate(way)
      },
      verbs: verbsOf(verbs, row),
    })),
  }
}

/** "restart CR80": the same rows, but choosing one does what was typed. */
export const meantGroup = (found: FoundKind, finding: Finding): Group | undefined => {
  const group = groupOf(found, finding)
  const verbs = finding.meant
  if (!group || !verbs) return undefined
  return {
    id: `do ${found.kind}`,
    title: finding.text('palette.kind.command'),
    options: group.options.flatMap((option, at) =>
      verbs.map((verb) => ({
        ...option,
        id: `${verb.id} ${option.id}`,
        title: `${verb.label} · ${option.title}`,
        mono: false,
        verbs: [],
        run: () => found.rows[at] && verb.run(found.rows[at]),
      })),
    ),
  }
}

/** Saved views lead to their list as they were saved. */
export const viewGroup = ({ rows, total }: FoundKind, { tools, routes, text }: Finding): Group => ({
  id: viewKind,
  title: text('palette.views'),
  ...(total > rows.length && { shown: text('palette.shown', { shown: rows.length, count: total }) }),
  options: rows.map(({ id, name, tells }) => ({
    id: `${viewKind} ${id}`,
    icon: 'pin',
    title: name,
    beside: joined([
      text(`${tells.resource}.title`),
      tells.sharedBy === null ? null : text('palette.sharedBy', { name: tells.sharedBy }),
    ]),
    run: async () => {
      const resource = await loadDeclared(String(tells.resource))
      const path = resource && listPathOf(resource, routes)
      if (path === undefined) return
      const params = new URLSearchParams(String(tells.search ?? ''))
      params.set('view', String(id))
      void tools.navigate(`${path}?${params}`)
    },
    verbs: [],
  })),
})

/** The list of a kind, filtered as was typed: a screen like any other. */
export const listOption = (
  found: FoundKind,
  { kinds, readers, routes, tools, wanted, text }: Finding,
): Option | undefined => {
  const resource = kinds[found.kind]?.resource
  const reader = readers[found.kind]
  if (!resource || !reader) return undefined
  const path = listPathOf(resource, routes)
  const filter = filterOf(resource, found)
  if (path === undefined || !filter || filter.total < 2) return undefined
  return {
    id: `list ${found.kind}`,
    icon: 'menu',
    title:
      filter.field === 'search'
        ? text('palette.listOf', { list: reader.title, wanted })
        : text('palette.listBy', { list: reader.title, field: reader.field(filter.field), wanted }),
    end: text('palette.rows', {
      count: filter.total,
      shown: found.more
        ? text('palette.moreThan', { total: reader.number(filter.total) })
        : reader.number(filter.total),
    }),
    run: () => tools.navigate(asked(path, filter.field, wanted)),
    verbs: [],
  }
}
