import { DownOutlined, SearchOutlined } from '@ant-design/icons'
import { splitSeveral } from '@campanile/contract'
import { Button, Input, Popover } from 'antd'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Reader } from '../reader.ts'
import { FilterText } from './FilterText.tsx'
import { filterKeys } from './listState.ts'
import type { Filtering } from './useResourceList.ts'

// Calendars and trees are heavy and rarely asked for; they come when a filter is opened.
const FilterEditor = lazy(() => import('./FilterEditor.tsx'))

const inlineCount = 3
/** Long enough that a word is one question, short enough to feel immediate. */
const typingPauseMs = 300
const typed = new Set(['text', 'longText', 'mono', 'masked', 'mobile', 'url', 'names', 'number', 'ipList'])

/** Values of a text field that are known beforehand, with their words: chosen instead of typed. */
export type FilterChoices = Readonly<Record<string, readonly { value: string; label: string }[] | undefined>>

interface Props {
  list: Filtering
  reader: Reader
  choices?: FilterChoices | undefined
  children?: ReactNode
}

/** The two or three most used filters, the rest behind "More filters", active ones as chips. */
export function FilterBar({ list, reader, choices, children }: Props) {
  const { resource, state } = list
  const names = resource.list.filters.filter((name) => !list.fixed.includes(name))
  const inline = names.slice(0, inlineCount)
  const more = names.slice(inlineCount)
  const isTyped = (name: string) => typed.has(resource.fields[name]?.kind ?? 'text') && !choices?.[name]
  const isActive = (name: string) => filterKeys(resource, name).some((key) => state.filters[key] !== undefined)
  // What an input in sight already says needs no chip.
  const chips = names.filter((name) => isActive(name) && !(inline.includes(name) && isTyped(name)))
  const remove = (name: string) =>
    list.setFilter(Object.fromEntries(filterKeys(resource, name).map((key) => [key, undefined])))

  const editor = (name: string) =>
    isTyped(name) ? (
      <TypedFilter name={name} list={list} label={reader.field(name)} />
    ) : (
      <FilterEditor name={name} list={list} reader={reader} known={choices?.[name]} />
    )
  const chosenLabel = (name: string) =>
    choices?.[name]?.find(({ value }) => value === String(state.filters[name] ?? ''))?.label
  return (
    <search className="filter-bar" aria-label={reader.t('kit.filter.label')}>
      {inline.map((name) =>
        isTyped(name) ? (
          <TypedFilter key={name} name={name} list={list} label={reader.field(name)} />
        ) : (
          <FilterButton key={name} label={reader.field(name)} content={editor(name)} />
        ),
      )}
      {more.length > 0 && (
        <FilterButton
          label={reader.t('kit.filter.more')}
          content={more.map((name) => (
            <div key={name} className="filter-more">
              <div className="filter-label">{reader.field(name)}</div>
              {editor(name)}
            </div>
          ))}
        />
      )}
      {chips.map((name) => (
        <span key={name} className="chip">
          {reader.field(name)}
          {reader.t('kit.filter.colon')}
          {chosenLabel(name) ?? <FilterText name={name} list={list} reader={reader} />}
          <button
            type="button"
            aria-label={reader.t('kit.filter.remove', { label: reader.field(name) })}
            onClick={() => remove(name)}
          >
            ×
          </button>
        </span>
      ))}
      {list.isFiltered && (
        <Button type="link" size="small" onClick={list.clearFilters}>
          {reader.t('kit.filter.clear')}
        </Button>
      )}
      {children}
    </search>
  )
}

function FilterButton({ label, content }: { label: string; content: ReactNode }) {
  return (
    <Popover
      trigger="click"
      placement="bottomLeft"
      arrow={false}
      content={
        <div className="filter-panel">
          <Suspense fallback={<span className="bone" />}>{content}</Suspense>
        </div>
      }
    >
      <Button className="filter-button" icon={<DownOutlined />} iconPlacement="end">
        {label}
      </Button>
    </Popover>
  )
}

const singleMax = 128

function TypedFilter({ name, list, label }: { name: string; list: Filtering; label: string }) {
  const { several, max = singleMax } = list.resource.fields[name] ?? {}
  const { t } = useTranslation()
  // Several are one text with slashes between, however they were typed or pasted.
  const settled = (value: string) => (several ? splitSeveral(value).join('/') : value.trim())
  const filter = list.state.filters[name] ?? ''
  const held = Array.isArray(filter) ? filter.join('/') : String(filter)
  const [text, setText] = useState(held)
  const [asked, setAsked] = useState(held)
  // The address changed by itself (Back, a view, Clear): it wins over what stood here.
  if (held !== asked) {
    setAsked(held)
    setText(held)
  }
  const ask = (value: string) => {
    if (settled(value) === held) return
    setAsked(settled(value))
    list.typeFilter(name, settled(value))
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only new keys start the pause anew
  useEffect(() => {
    const timer = setTimeout(() => ask(text), typingPauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <Input
      className={`filter-input ${several ? 'filter-several' : ''}`}
      allowClear
      maxLength={several ? several * (max + 1) : singleMax}
      prefix={<SearchOutlined />}
      placeholder={several ? t('kit.filter.several', { label }) : label}
      aria-label={label}
      data-search
      value={text}
      onChange={(event) => setText(event.target.value)}
      onPressEnter={() => ask(text)}
      onPaste={(event) => {
        const pasted = event.clipboardData.getData('text')
        if (!several || splitSeveral(pasted).length < 2) return
        // A column of a sheet has line ends, which a line would swallow.
        event.preventDefault()
        setText(splitSeveral(`${text}/${pasted}`).join('/'))
      }}
      onBlur={() => {
        setText(settled(text))
        list.endTyping()
      }}
    />
  )
}
