import type { Field, FieldKind, FileValue } from '@campanile/contract/kit'
import type { ReactNode } from 'react'
import { RowFile, RowPicture } from './files/RowFile.tsx'
import type { AnyRow, Reader } from './reader.ts'
import { offsetText, relativeText, timeText } from './time.ts'
import { isBlank } from './values.ts'

export interface Cell {
  value: unknown
  row: AnyRow
  name: string
  field: Field
  reader: Reader
}

export type StateTone = 'good' | 'warning' | 'bad' | 'off' | 'accent'
const shapes: Record<StateTone, string> = { good: '●', warning: '◆', bad: '■', off: '○', accent: '●' }

/** A state is a shape, a colour and a word. */
export function StateMark({ tone, children }: { tone: StateTone; children: ReactNode }) {
  return (
    <span className={`state-mark state-${tone}`}>
      <span aria-hidden="true">{shapes[tone]}</span> {children}
    </span>
  )
}

export function SoftTag({ tone = 'off', children }: { tone?: StateTone; children: ReactNode }) {
  return <span className={`soft-tag soft-${tone}`}>{children}</span>
}

export function Time({ value, reader }: { value: string; reader: Reader }) {
  const time = new Date(value)
  if (Number.isNaN(time.getTime())) return value
  const away = relativeText(time, new Date(), reader.language)
  return (
    <time dateTime={value} title={[timeText(time), offsetText(time), away].filter(Boolean).join(' · ')}>
      {timeText(time)}
    </time>
  )
}

const plain = ({ value }: Cell) => <span title={String(value)}>{String(value)}</span>
const mono = ({ value }: Cell) => <span className="mono">{String(value)}</span>
/** The names of what is referred to, in the order of the ids; the number of one that is out of sight is no name, and a department is out of sight where it is out of reach. */
export const refNames = ({ row, field, value, reader }: Pick<Cell, 'row' | 'field' | 'value' | 'reader'>): string[] => {
  const name = field.nameField === undefined ? undefined : row[field.nameField]
  if (isBlank(name)) return list(value).map((id) => (field.place ? reader.t('kit.value.outOfReach') : `#${id}`))
  return list(name).map((each) => (typeof each === 'object' ? reader.names(each) : String(each)))
}
const reference = (cell: Cell) => {
  const text = refNames(cell).join(cell.reader.t('kit.value.comma'))
  return <span title={text}>{text}</span>
}
/** Trees are told by how much was chosen in them. */
const figure = ({ value, reader }: Cell) => <span className="figure">{reader.number(list(value).length)}</span>
const list = (value: unknown) => (Array.isArray(value) ? value : [value]) as (string | number)[]

/** How each kind of value is read. The only place that decides; a screen replaces single cells by name. */
export const cells: Readonly<Record<FieldKind, (cell: Cell) => ReactNode>> = {
  text: plain,
  longText: plain,
  mono,
  json: ({ value }) => (
    <span className="mono cut" title={String(value)}>
      {String(value)}
    </span>
  ),
  masked: mono,
  mobile: mono,
  url: plain,
  number: ({ value, reader }) => <span className="figure">{reader.number(Number(value))}</span>,
  decimal: ({ value, field, reader }) => (
    <span className="figure">{reader.decimal(Number(value), field.digits ?? 2)}</span>
  ),
  money: ({ value, reader }) => <span className="figure">{reader.decimal(Number(value) / 100, 2)}</span>,
  switch: ({ value, reader }) => (
    <StateMark tone={value ? 'good' : 'off'}>{reader.t(value ? 'kit.value.yes' : 'kit.value.no')}</StateMark>
  ),
  choice: ({ value, name, reader }) => <SoftTag>{reader.option(name, value as string)}</SoftTag>,
  choices: ({ value, name, reader }) =>
    list(value).map((each) => <SoftTag key={each}>{reader.option(name, each)}</SoftTag>),
  dictionary: ({ value, name, reader }) => reader.code(name, value),
  dictionaries: ({ value, name, reader }) =>
    list(value).map((each) => <SoftTag key={each}>{reader.code(name, each)}</SoftTag>),
  ref: reference,
  refs: (cell) => (cell.field.nameField === undefined ? figure(cell) : reference(cell)),
  timestamp: ({ value, reader }) => <Time value={String(value)} reader={reader} />,
  date: ({ value }) => <span className="figure">{String(value)}</span>,
  monthDay: ({ value }) => <span className="figure">{String(value)}</span>,
  timeOfDay: ({ value }) => <span className="figure">{String(value)}</span>,
  weekdays: ({ value, reader }) =>
    list(value)
      .map((day) => reader.weekday(Number(day)))
      .join(reader.t('kit.value.comma')),
  location: ({ value }) => {
    const { latitude, longitude } = value as { latitude: number; longitude: number }
    return <span className="mono">{`${latitude}, ${longitude}`}</span>
  },
  ipList: ({ value }) => <span className="mono">{list(value).join(', ')}</span>,
  lines: ({ value }) => <span className="mono">{list(value).join(', ')}</span>,
  names: ({ value, reader }) => reader.names(value as Record<string, string>),
  colour: ({ value }) => (
    <span className="mono">
      <span className="colour-dot" style={{ background: String(value) }} aria-hidden="true" /> {String(value)}
    </span>
  ),
  group: ({ value }) => <span className="mono cut">{JSON.stringify(value)}</span>,
  object: ({ value }) => <span className="mono cut">{JSON.stringify(value)}</span>,
  file: ({ value, row, name, reader }) => (
    <RowFile resource={reader.resource} name={name} id={row.id} value={value as FileValue} reader={reader} />
  ),
  image: ({ value, row, name, reader }) => (
    <RowPicture resource={reader.resource} name={name} id={row.id} value={value as FileValue} />
  ),
  // What became of it is told by fields of its room.
  upload: () => null,
  secret: () => '••••••',
}

/** Nothing is shown as a dash, so that an empty cell is seen to be empty. */
export const renderCell = (cell: Cell): ReactNode =>
  isBlank(cell.value) ? <span className="nothing">–</span> : cells[cell.field.kind](cell)
