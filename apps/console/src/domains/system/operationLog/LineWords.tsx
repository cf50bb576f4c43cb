import type { Resource, Row } from '@campanile/contract/kit'
import { operationLog } from '@campanile/contract/system'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useReader } from '../../../kit/index.ts'
import { operationLabel } from '../../../kit/operationLabel.ts'
import { loadDeclared } from '../../../shell/declared.ts'
import { useNavigationMenu } from '../../../shell/navigation/navigation.ts'
import { isPermitted } from '../../../shell/permissions.ts'
import { descriptionText } from './descriptionText.ts'

interface Props {
  row: Row<typeof operationLog>
}

// Cells of their own: the words of a line's room may come after the line.

export function Done({ row }: Props) {
  const { i18n } = useTranslation()
  return operationLabel(row, i18n)
}

/** What is gone, or was many, has no page. */
const leads = new Set<string>(['create', 'update', 'action', 'read'])

/** What it was done to: by its name, which leads to it for those who may open it. */
export function Subject({ row }: Props) {
  const text = descriptionText(row, useReader(operationLog))
  const wanted = leads.has(row.type) && row.result === 'success' && text !== undefined && text === row.description
  const { data: resource } = useQuery({
    queryKey: ['declared', row.module],
    queryFn: async () => (await loadDeclared(row.module)) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
    enabled: wanted,
  })
  const to = useWayTo(wanted ? (resource ?? undefined) : undefined, text ?? '')
  if (text === undefined) return '–'
  return to === undefined ? text : <Link to={to}>{text}</Link>
}

/** The page of a row that is known by its name; where only its number leads there, the list with this row alone. */
const useWayTo = (resource: Resource | undefined, name: string): string | undefined => {
  const { permissions, routes } = useNavigationMenu()
  if (!resource) return undefined
  const { identity, palette, perms, list } = resource
  const opens = palette?.opens
  if (opens && isPermitted(permissions, opens.perm) && opens.path.endsWith(`/:${identity}`) && isWhole(resource, name))
    return opens.path.replace(`:${identity}`, encodeURIComponent(name))
  const at = routes.find((each) => each.node.perms === perms.list && !each.dynamic && each.redirect === undefined)?.path
  const field = list.search?.includes(identity) ? 'search' : list.filters.includes(identity) ? identity : undefined
  if (at === undefined || field === undefined || !isWhole(resource, name)) return undefined
  return `${at}?${new URLSearchParams({ [field]: `"${name}"` })}`
}

/** One name, not several: serial numbers hold no comma, and of the others the log says which it was. */
const isWhole = ({ fields, identity }: Resource, name: string): boolean =>
  fields[identity]?.schema.safeParse(name).success === true && !name.includes(', ') && !name.includes(' → ')
