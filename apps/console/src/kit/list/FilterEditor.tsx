import { spanOf } from '@campanile/contract/kit'
import { Checkbox, Input, InputNumber, Radio, Select } from 'antd'
import dayjs from 'dayjs'
import { DatePicker } from '../inputs/calendars.ts'
import { DepartmentPicker } from '../inputs/DepartmentPicker.tsx'
import { RefPicker } from '../inputs/RefPicker.tsx'
import type { Reader } from '../reader.ts'
import { useAhead } from './ahead.ts'
import { useCounts, useTotals } from './useCounts.ts'
import type { Filtering } from './useResourceList.ts'

interface Props {
  name: string
  list: Filtering
  reader: Reader
  /** Values of a text field that are known beforehand. */
  known?: readonly { value: string; label: string }[] | undefined
}

/** More are searched, not read through. */
const few = 12

/** How a filter that is chosen, not typed, is entered. */
export function FilterEditor({ name, list: told, reader, known }: Props) {
  const state = useAhead(told.ahead, 'state')
  // A tick is seen at once, whenever its rows come.
  const list = state ? { ...told, state } : told
  const field = list.resource.fields[name]
  const value = list.state.filters[name]
  const counts = useCounts(list, name)
  const counted = (label: string, each: string | number | boolean) =>
    counts ? (
      <span className="counted-option">
        {label}
        <span className="quiet figure">{reader.number(counts[String(each)] ?? 0)}</span>
      </span>
    ) : (
      label
    )
  const chosen = Array.isArray(value) ? [...value] : []
  const choose = (values: (string | number)[]) => list.setFilter({ [name]: values })
  if (known && known.length > few)
    return (
      <Select
        className="whole"
        allowClear
        showSearch={{ optionFilterProp: 'label' }}
        placeholder={reader.t('kit.filter.any')}
        aria-label={reader.field(name)}
        value={value === undefined ? null : String(value)}
        onChange={(next) => list.setFilter({ [name]: next ?? undefined })}
        options={[...known]}
      />
    )
  if (known) return <KnownValues name={name} list={list} reader={reader} known={known} />
  if (field?.version) return <Versions name={name} list={list} reader={reader} />
  switch (field?.kind) {
    case 'switch':
      return (
        <Radio.Group
          vertical
          value={value ?? 'any'}
          onChange={(event) =>
            list.setFilter({ [name]: event.target.value === 'any' ? undefined : event.target.value })
          }
          options={[
            { value: 'any', label: reader.t('kit.filter.any') },
            { value: true, label: counted(reader.t('kit.value.yes'), true) },
            { value: false, label: counted(reader.t('kit.value.no'), false) },
          ]}
        />
      )
    case 'ref':
    case 'refs':
      return field.place ? (
        <DepartmentPicker multiple value={chosen as number[]} onChange={choose} label={reader.field(name)} />
      ) : (
        <RefPicker
          resource={list.resource}
          name={name}
          multiple
          value={chosen as number[]}
          onChange={choose}
          label={reader.field(name)}
        />
      )
    case 'timestamp':
    case 'date':
      return <Days name={name} list={list} reader={reader} />
    case 'number':
    case 'decimal':
    case 'money':
      return <Figures name={name} list={list} reader={reader} />
    case 'weekdays':
      return (
        <Checkbox.Group
          className="filter-options"
          value={chosen}
          onChange={(values) => choose(values as number[])}
          options={[1, 2, 3, 4, 5, 6, 7].map((day) => ({ value: day, label: reader.weekday(day) }))}
        />
      )
    default: {
      const fromTable = field?.dictionary !== undefined
      const options = fromTable ? reader.codesOf(name) : (field?.options ?? [])
      return (
        <Checkbox.Group
          className="filter-options"
          value={chosen}
          onChange={(values) => choose(values as (string | number)[])}
          options={options.map((each) => ({
            value: each,
            label: counted(fromTable ? reader.code(name, each) : reader.option(name, each), each),
          }))}
        />
      )
    }
  }
}

/** Few values that are known beforehand, each with how many rows it would leave. */
function KnownValues({ name, list, reader, known }: Props & { known: NonNullable<Props['known']> }) {
  const totals = useTotals(list, name, known)
  const labelled = known.map(({ value, label }, at) => {
    const found = totals[at]
    return {
      value,
      label: found ? (
        <span className="counted-option">
          {label}
          <span className="quiet figure">{`${reader.number(found.total)}${found.more ? '+' : ''}`}</span>
        </span>
      ) : (
        label
      ),
    }
  })
  return (
    <Radio.Group
      vertical
      value={String(list.state.filters[name] ?? '')}
      onChange={(event) => list.setFilter({ [name]: event.target.value })}
      options={[{ value: '', label: reader.t('kit.filter.any') }, ...labelled]}
    />
  )
}

const spans = [1, 7, 30] as const

interface SpanProps {
  name: string
  list: Filtering
  reader: Reader
}

const endsOf = ({ list, name }: SpanProps) => spanOf(list.resource, name) ?? [`${name}Start`, `${name}End`]

function Days(props: SpanProps) {
  const { list, reader } = props
  const [from, to] = endsOf(props)
  const at = (value: unknown) => (typeof value === 'string' ? dayjs(value) : null)
  return (
    <DatePicker.RangePicker
      format="YYYY-MM-DD"
      allowEmpty
      value={[at(list.state.filters[from]), at(list.state.filters[to])]}
      presets={spans.map((days) => ({
        label: reader.t('kit.filter.lastDays', { count: days }),
        value: [dayjs().subtract(days - 1, 'day'), dayjs()],
      }))}
      onChange={(days) =>
        // Whole days of the reader's zone: from the first minute of one to the last of the other.
        list.setFilter({
          [from]: days?.[0]?.startOf('day').toISOString(),
          [to]: days?.[1]?.endOf('day').toISOString(),
        })
      }
    />
  )
}

/** From one figure to another; either end may stay open. Amounts are written in whole units. */
function Figures(props: SpanProps) {
  const { list, reader, name } = props
  const hundredths = list.resource.fields[name]?.kind === 'money' ? 100 : 1
  return (
    <div className="figure-span">
      {endsOf(props).map((end, at) => (
        <InputNumber
          key={end}
          aria-label={`${reader.field(name)} · ${reader.t(at === 0 ? 'kit.filter.from' : 'kit.filter.to')}`}
          placeholder={reader.t(at === 0 ? 'kit.filter.from' : 'kit.filter.to')}
          value={list.state.filters[end] === undefined ? null : Number(list.state.filters[end]) / hundredths}
          onChange={(figure) =>
            list.setFilter({ [end]: figure === null ? undefined : String(Math.round(figure * hundredths * 1e6) / 1e6) })
          }
        />
      ))}
    </div>
  )
}

/** A part of the version, or all from one on and below another; asked once the field is left, because `3` is half of `3.2`. */
function Versions(props: SpanProps) {
  const { list, reader, name } = props
  const [from, below] = endsOf(props)
  const ends = [
    [name, 'kit.filter.holds'],
    [from, 'kit.filter.from'],
    [below, 'kit.filter.below'],
  ] as const
  return (
    <div className="version-span">
      {ends.map(([end, word]) => {
        const held = String(list.state.filters[end] ?? '')
        const ask = (text: string) => text.trim() !== held && list.setFilter({ [end]: text.trim() || undefined })
        return (
          <Input
            key={`${end} ${held}`}
            aria-label={`${reader.field(name)} · ${reader.t(word)}`}
            prefix={<span className="quiet">{reader.t(word)}</span>}
            maxLength={64}
            defaultValue={held}
            onPressEnter={({ currentTarget }) => ask(currentTarget.value)}
            onBlur={({ currentTarget }) => ask(currentTarget.value)}
          />
        )
      })}
    </div>
  )
}
