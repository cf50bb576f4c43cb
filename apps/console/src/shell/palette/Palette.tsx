import { isEnoughToFind } from '@campanile/contract/search'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { describeError } from '../errorText.ts'
import { Icon } from '../icons.tsx'
import { useSession } from '../session/session.ts'
import type { Verb } from './groups.tsx'
import { domId, PaletteOption } from './PaletteOption.tsx'
import { useGroups } from './useGroups.ts'
import './palette.css'

const inputMax = 80

/** One field for everything: rows of every kind, screens, settings, actions. Arrows choose, Enter goes, → and a letter acts. */
export function Palette({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const dialog = useRef<HTMLDialogElement>(null)
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  const [acting, setActing] = useState(false)
  const { groups, found, wanted, ready } = useGroups(query)
  const place = useSession(({ session }) => session?.user.operating?.departmentName ?? session?.user.departmentName)

  useEffect(() => dialog.current?.showModal(), [])

  const options = groups.flatMap((group) => group.options)
  const last = options.length - 1
  const here = Math.min(at, last)
  const chosen = options[here]

  const choose = (index: number) => {
    setAt(index)
    setActing(false)
  }
  const go = (run: (() => unknown) | undefined) => {
    if (run === undefined) return
    onClose()
    run()
  }

  /** The first line of the group after this one, or of the one before it. */
  const groupBeside = (step: 1 | -1) => {
    const starts = groups.map((_, index) =>
      groups.slice(0, index).reduce((sum, group) => sum + group.options.length, 0),
    )
    const now = starts.findLastIndex((start) => start <= here)
    return starts[(now + step + starts.length) % starts.length] ?? 0
  }

  const press = (event: KeyboardEvent<HTMLInputElement>): boolean => {
    const { key } = event
    if (acting) {
      const verb = chosen?.verbs.find(({ letter }) => letter === key.toUpperCase())
      if (verb) go(verb.run)
      if (verb || key === 'ArrowLeft' || key.length === 1) {
        setActing(false)
        return true
      }
    }
    const { value, selectionStart, selectionEnd } = event.currentTarget
    const atEnd = selectionStart === value.length && selectionEnd === value.length
    if (key === 'ArrowDown') choose(here >= last ? 0 : here + 1)
    else if (key === 'ArrowUp') choose(here <= 0 ? last : here - 1)
    else if (key === 'Tab') choose(groupBeside(event.shiftKey ? -1 : 1))
    else if (key === 'ArrowRight' && atEnd && chosen?.verbs.some(({ letter }) => letter)) setActing(true)
    else if (key === 'Enter') go(chosen?.run)
    else return false
    return true
  }

  useEffect(() => {
    if (chosen !== undefined) document.getElementById(domId(chosen))?.scrollIntoView({ block: 'nearest' })
  }, [chosen])

  const total = (found.answer?.kinds ?? []).reduce((sum, kind) => sum + kind.total, 0)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes the dialog by itself; the click is on what lies around it
    <dialog
      ref={dialog}
      className="palette"
      aria-label={t('palette.title')}
      onClose={onClose}
      onCancel={(event) => {
        // The topmost layer first: choosing what to do ends before the palette does.
        if (acting) event.preventDefault()
        setActing(false)
      }}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <div className="palette-box">
        <div className="palette-field">
          <Icon name="search" size={18} />
          <input
            autoFocus
            role="combobox"
            aria-expanded
            aria-controls="palette-found"
            aria-activedescendant={chosen && domId(chosen)}
            aria-label={t('shell.palette.placeholder')}
            placeholder={t('shell.palette.placeholder')}
            maxLength={inputMax}
            value={query}
            onChange={(event) => {
              setQuery(event.target.value)
              choose(0)
            }}
            onKeyDown={(event) => {
              if (!event.nativeEvent.isComposing && press(event)) event.preventDefault()
            }}
          />
          {place !== undefined && <span className="palette-scope">{t('palette.everywhere', { place })}</span>}
          <kbd>Esc</kbd>
        </div>
        <div
          id="palette-found"
          role="listbox"
          aria-label={t('palette.title')}
          aria-busy={found.waiting}
          className="palette-found"
        >
          {groups.map((group) => (
            // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form
            <div key={group.id} role="group" aria-labelledby={`palette-group-${group.id}`}>
              <div className="palette-group">
                <span id={`palette-group-${group.id}`}>{group.title}</span>
                {group.shown !== undefined && (
                  <span className="palette-shown" aria-hidden="true">
                    {group.shown}
                    {group.all && (
                      <>
                        {' · '}
                        <button type="button" tabIndex={-1} onClick={() => go(group.all)}>
                          {t('palette.seeAll')}
                        </button>
                      </>
                    )}
                  </span>
                )}
              </div>
              {group.options.map((option) => {
                const index = options.indexOf(option)
                return (
                  <PaletteOption
                    key={option.id}
                    option={option}
                    wanted={wanted}
                    chosen={option === chosen}
                    acting={acting}
                    open={t('palette.open')}
                    onPoint={() => index !== here && choose(index)}
                    onChoose={() => go(option.run)}
                    onVerb={(verb: Verb) => go(verb.run)}
                  />
                )
              })}
            </div>
          ))}
        </div>
        <Notice found={found} empty={options.length === 0} wanted={wanted} ready={ready} />
        <footer className="palette-foot">
          <Hint keys={['↑', '↓']} text={t('palette.hint.move')} />
          <Hint keys={['Tab']} text={t('palette.hint.group')} />
          <Hint keys={['→']} text={t('palette.hint.act')} />
          <Hint keys={['>']} text={t('palette.hint.actions')} />
          <span className="palette-took" role="status">
            {found.waiting
              ? t('palette.searching')
              : found.answer && t('palette.took', { count: total, milliseconds: found.answer.took })}
          </span>
        </footer>
      </div>
    </dialog>
  )
}

type Found = ReturnType<typeof useGroups>['found']

/** What there is to say when it is not rows: that nothing matches, that more has to be typed, that the server could not be asked. */
function Notice({ found, empty, wanted, ready }: { found: Found; empty: boolean; wanted: string; ready: boolean }) {
  const { t } = useTranslation()
  if (found.error) {
    const { title, text } = describeError(found.error)
    return (
      <p className="palette-none" role="alert">
        <strong>{title}</strong> {text}{' '}
        <button type="button" onClick={() => void found.retry()}>
          {t('shell.retry')}
        </button>
      </p>
    )
  }
  if (!empty) return null
  const more = wanted !== '' && !isEnoughToFind(wanted)
  if (!more && (found.waiting || !ready)) return null
  return (
    <p className="palette-none" role="status">
      {t(more ? 'palette.short' : 'palette.none')}
    </p>
  )
}

function Hint({ keys, text }: { keys: readonly string[]; text: string }) {
  return (
    <span className="palette-hint">
      {keys.map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}{' '}
      {text}
    </span>
  )
}
