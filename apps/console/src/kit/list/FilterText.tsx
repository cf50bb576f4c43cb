import { useAssignableRoles } from '../inputs/assignableRoles.ts'
import { useDepartmentNames } from '../inputs/departmentNodes.ts'
import type { Reader } from '../reader.ts'
import { dayText } from '../time.ts'
import type { Filtering } from './useResourceList.ts'

/** What a filter holds, in words. */
export function FilterText({ name, list, reader }: { name: string; list: Filtering; reader: Reader }) {
  const field = list.resource.fields[name]
  const value = list.state.filters[name]
  const each = Array.isArray(value) ? value : [value]
  switch (field?.kind) {
    case 'timestamp':
    case 'date': {
      const day = (key: string) => {
        const time = list.state.filters[key]
        return typeof time === 'string' ? dayText(new Date(time)) : '…'
      }
      return `${day('startTime')} – ${day('endTime')}`
    }
    case 'switch':
      return reader.t(value ? 'kit.value.yes' : 'kit.value.no')
    case 'choice':
    case 'choices':
      return each.map((option) => reader.option(name, option as string)).join(reader.t('kit.value.comma'))
    case 'dictionary':
    case 'dictionaries':
      return each.map((code) => reader.code(name, code)).join(reader.t('kit.value.comma'))
    case 'department':
      return <DepartmentNames ids={each as number[]} comma={reader.t('kit.value.comma')} />
    case 'roles':
      return <RoleNames ids={each as number[]} comma={reader.t('kit.value.comma')} />
    default:
      return String(value)
  }
}

function DepartmentNames({ ids, comma }: { ids: number[]; comma: string }) {
  const names = useDepartmentNames(ids)
  return ids.map((id) => names.get(id) ?? `#${id}`).join(comma)
}

function RoleNames({ ids, comma }: { ids: number[]; comma: string }) {
  const roles = useAssignableRoles()
  return ids.map((id) => roles.find((role) => role.id === id)?.name ?? `#${id}`).join(comma)
}
