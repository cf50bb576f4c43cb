import { spanOf } from '@campanile/contract/kit'
import { later } from '../../shell/later.tsx'
import type { Reader } from '../reader.ts'
import { dayText } from '../time.ts'
import type { Filtering } from './useResourceList.ts'

// The server is asked for the names of rows; their code need not be here before the answer is.
const DepartmentNames = later(async () => (await import('./FilterNames.tsx')).DepartmentNames)
const RefNames = later(async () => (await import('./FilterNames.tsx')).RefNames)

/** What a filter holds, in words. */
export function FilterText({ name, list, reader }: { name: string; list: Filtering; reader: Reader }) {
  const field = list.resource.fields[name]
  const value = list.state.filters[name]
  const each = Array.isArray(value) ? value : [value]
  if (field?.version) {
    const [from = '', below = ''] = spanOf(list.resource, name) ?? []
    const parts = [
      [name, ''],
      [from, 'kit.filter.fromVersion'],
      [below, 'kit.filter.belowVersion'],
    ] as const
    return parts
      .filter(([key]) => list.state.filters[key] !== undefined)
      .map(([key, word]) => {
        const version = String(list.state.filters[key])
        return word === '' ? version : reader.t(word, { version })
      })
      .join(reader.t('kit.value.comma'))
  }
  switch (field?.kind) {
    case 'timestamp':
    case 'date': {
      const day = (key: string) => {
        const time = list.state.filters[key]
        return typeof time === 'string' ? dayText(new Date(time)) : '…'
      }
      const [from, to] = spanOf(list.resource, name) ?? ['', '']
      return `${day(from)} – ${day(to)}`
    }
    case 'number':
    case 'decimal':
    case 'money': {
      const figure = (key: string) => {
        const end = list.state.filters[key]
        return end === undefined ? '…' : reader.number(Number(end) / (field.kind === 'money' ? 100 : 1))
      }
      const [from, to] = spanOf(list.resource, name) ?? ['', '']
      return value === undefined ? `${figure(from)} – ${figure(to)}` : reader.number(Number(value))
    }
    case 'weekdays':
      return each.map((day) => reader.weekday(Number(day))).join(reader.t('kit.value.comma'))
    case 'switch':
      return reader.t(value ? 'kit.value.yes' : 'kit.value.no')
    case 'choice':
    case 'choices':
      return each.map((option) => reader.option(name, option as string)).join(reader.t('kit.value.comma'))
    case 'dictionary':
    case 'dictionaries':
      return each.map((code) => reader.code(name, code)).join(reader.t('kit.value.comma'))
    case 'ref':
    case 'refs': {
      const ids = { ids: each as number[], comma: reader.t('kit.value.comma') }
      return field.place ? <DepartmentNames {...ids} /> : <RefNames {...ids} resource={list.resource} name={name} />
    }
    default:
      return String(value)
  }
}
