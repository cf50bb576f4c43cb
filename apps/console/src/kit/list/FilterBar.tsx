import { DownOutlined, FilterOutlined } from '@ant-design/icons'
import { spanOf, splitSeveral } from '@campanile/contract/kit'
import { Button, Popover } from 'antd'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { later } from '../../shell/later.tsx'
import { SearchInput } from '../inputs/SearchInput.tsx'
import type { Reader } from '../reader.ts'
import { isTyped } from '../values.ts'
import { filterKeys } from './listState.ts'
import type { Filtering } from './useResourceList.ts'

// Calendars and trees are heavy and rarely asked for; they come when a filter is opened.
const FilterEditor = later(async () => (await import('./FilterEditor.tsx')).FilterEditor)
// What a chip says is seldom there when a list is opened; it comes in a quiet moment.
const FilterText = later(async () => (await import('./FilterText.tsx')).FilterText)
// With what it holds: the focus goes to its first field, which has to be there for that.
const FilterDrawer = later(async () => {
  const [{ FilterDrawer: Loaded }] = await Promise.all([import('./FilterDrawer.tsx'), FilterEditor.ready()])
  return Loaded
})

const inlineCount = 3
/** Long enough that what is typed at a stretch is one question, short enough to feel immediate. */
const typingPauseMs = 50

/** Values of a text field that are known beforehand, with their words: chosen instead of typed. */
export type FilterChoices = Readonly<Record<string, readonly { value: string; label: string }[] | undefined>>

interface Props {
  list: Filtering
  reader: Reader
  choices?: FilterChoices | undefined
}

/**
 * One row, whatever is filtered: the search and the two or three most used filters, all of them in a drawer, active ones as
 * chips. What finds no room in a narrow window stands in the drawer.
 */
export function FilterBar({ list, reader, choices }: Props) {
  const { resource, state } = list
  const [open, setOpen] = useState(false)
  useEffect(FilterText.soon, [])
  const names = resource.list.filters.filter((name) => !list.fixed.includes(name))
  // What one box looks through is seldom asked for field by field: those filters stand in the drawer.
  const searched = list.fixed.includes('search') ? [] : (resource.list.search ?? [])
  const inline = names.filter((name) => !searched.includes(name)).slice(0, inlineCount)
  const isWritten = (name: string) =>
    isTyped(resource.fields[name]?.kind ?? 'text') && !choices?.[name] && !spanOf(resource, name)
  const search = searched.length > 0 ? undefined : inline.find(isWritten)
  const isActive = (name: string) => filterKeys(resource, name).some((key) => state.filters[key] !== undefined)
  const active = names.filter(isActive)
  // What an input in sight already says needs no chip.
  const chips = active.filter((name) => name !== search)
  const remove = (name: string) =>
    list.setFilter(Object.fromEntries(filterKeys(resource, name).map((key) => [key, undefined])))

  const editor = (name: string) =>
    isWritten(name) ? (
      <TypedFilter name={name} list={list} reader={reader} />
    ) : (
      <FilterEditor name={name} list={list} reader={reader} known={choices?.[name]} />
    )
  const chosenLabel = (name: string) =>
    choices?.[name]?.find(({ value }) => value === String(state.filters[name] ?? ''))?.label
  const others = inline.filter((name) => name !== search && !isWritten(name))
  const hidden = names.filter((name) => name !== search)
  return (
    <search className="filter-row" aria-label={reader.t('kit.filter.label')}>
      {searched.length > 0 && (
        <TypedFilter
          name="search"
          label={reader.t('kit.filter.search', {
            fields: searched.map(reader.field).join(reader.t('kit.value.comma')),
          })}
          list={list}
          reader={reader}
        />
      )}
      {search !== undefined && <TypedFilter name={search} list={list} reader={reader} />}
      {others.map((name) => (
        <FilterButton key={name} label={reader.field(name)} content={editor(name)} />
      ))}
      {hidden.length > 0 && (
        <Button {...FilterDrawer.near} className="all-filters" icon={<FilterOutlined />} onClick={() => setOpen(true)}>
          {reader.t('kit.filter.more')}
          {chips.length > 0 && <span className="count">{chips.length}</span>}
        </Button>
      )}
      {chips.length > 0 && (
        <div className="chips">
          {chips.map((name) => (
            <span key={name} className="chip">
              <span className="chip-text chip-label">
                {reader.field(name)}
                {reader.t('kit.filter.colon')}
              </span>
              <span className="chip-text">
                {chosenLabel(name) ?? <FilterText name={name} list={list} reader={reader} />}
              </span>
              <button
                type="button"
                aria-label={reader.t('kit.filter.remove', { label: reader.field(name) })}
                onClick={() => remove(name)}
              >
                ×
              </button>
            </span>
          ))}
        </div>
      )}
      {list.isFiltered && (
        <Button className="clear-filters" type="link" size="small" onClick={list.clearFilters}>
          {reader.t('kit.filter.clear')}
        </Button>
      )}
      {open && (
        <FilterDrawer
          reader={reader}
          total={list.total}
          filters={hidden.map((name) => ({ name, active: isActive(name), editor: editor(name) }))}
          onRemove={remove}
          onClear={list.isFiltered ? list.clearFilters : undefined}
          onClose={() => setOpen(false)}
        />
      )}
    </search>
  )
}

function FilterButton({ label, content }: { label: string; content: ReactNode }) {
  return (
    <Popover
      trigger="click"
      placement="bottomLeft"
      arrow={false}
      // Beside its button where there is no room below it: a range of dates is wider than half a phone.
      align={{ overflow: { shiftX: true, adjustY: true } }}
      content={<div className="filter-panel">{content}</div>}
    >
      <Button {...FilterEditor.near} className="filter-button" icon={<DownOutlined />} iconPlacement="end">
        {label}
      </Button>
    </Popover>
  )
}

const singleMax = 128

interface TypedProps {
  name: string
  /** What is looked through, when that is not one field. */
  label?: string
  list: Filtering
  reader: Reader
}

function TypedFilter({ name, label: given, list, reader }: TypedProps) {
  const { several, max = singleMax } = list.resource.fields[name] ?? {}
  const label = given ?? reader.field(name)
  // Several are one text with slashes between, however they were typed or pasted.
  const settled = (value: string) => (several ? splitSeveral(value).join('/') : value.trim())
  const filter = list.state.filters[name] ?? ''
  const hint = reader.hint(name)
  const held = Array.isArray(filter) ? filter.join('/') : String(filter)
  const [text, setText] = useState(held)
  const [seen, setSeen] = useState(held)
  /** On its way into the address, which takes a moment: what is typed meanwhile stays. */
  const [asked, setAsked] = useState<readonly string[]>([])
  if (held !== seen) {
    const arrived = asked.indexOf(held)
    setSeen(held)
    setAsked(arrived < 0 ? [] : asked.slice(arrived + 1))
    // The address changed by itself (Back, a view, Clear): it wins over what stood here.
    if (arrived < 0) setText(held)
  }
  const ask = (value: string) => {
    if (settled(value) === (asked.at(-1) ?? held)) return
    setAsked([...asked, settled(value)])
    list.typeFilter(name, settled(value))
  }
  const askNow = useEffectEvent(ask)
  useEffect(() => {
    const timer = setTimeout(() => askNow(text), typingPauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <SearchInput
      className={`filter-input ${given ? 'filter-search' : several ? 'filter-several' : ''}`}
      label={label}
      clear={reader.t('kit.filter.clearTyped', { label })}
      maxLength={several ? several * (max + 1) : singleMax}
      {...(several ? { placeholder: reader.t('kit.filter.several', { label }) } : {})}
      {...(hint === undefined ? {} : { placeholder: `${label}: ${hint}`, title: hint })}
      data-search
      value={text}
      onChange={setText}
      onPressEnter={() => ask(text)}
      onPaste={(event) => {
        const pasted = event.clipboardData.getData('text')
        if (!several || splitSeveral(pasted).length < 2) return
        // A column of a sheet has line ends, which a line would swallow.
        event.preventDefault()
        setText(splitSeveral(`${text}/${pasted}`).join('/'))
      }}
      onBlur={() => {
        ask(text)
        // Set to what it is, it would be put back over the address when that changes next.
        if (settled(text) !== text) setText(settled(text))
        list.endTyping()
      }}
    />
  )
}
