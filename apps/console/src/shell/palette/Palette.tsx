import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon, type IconName } from '../icons.tsx'
import { type Entry, matchEntries, type Sound } from './match.ts'
import { useEntries } from './useEntries.ts'
import './palette.css'

const iconOf: Record<Entry['kind'], IconName> = { screen: 'template', command: 'right', recent: 'clock' }
const mostShown = 50

/** One field for every place and action; arrows choose, Enter goes. */
export function Palette({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const dialog = useRef<HTMLDialogElement>(null)
  const { recent, commands, screens } = useEntries()
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  const sound = useSound()

  useEffect(() => dialog.current?.showModal(), [])

  const searched = query.trim() === '' ? [...recent, ...commands, ...screens] : [...screens, ...commands]
  const found = matchEntries(searched, query, sound).slice(0, mostShown)
  const chosen = found[Math.min(at, found.length - 1)]

  const go = (entry: Entry | undefined) => {
    if (entry === undefined) return
    onClose()
    entry.run()
  }

  const press = (key: string): boolean => {
    const last = found.length - 1
    const here = Math.min(at, last)
    if (key === 'ArrowDown') setAt(here >= last ? 0 : here + 1)
    else if (key === 'ArrowUp') setAt(here <= 0 ? last : here - 1)
    else if (key === 'Home') setAt(0)
    else if (key === 'End') setAt(last)
    else if (key === 'Enter') go(chosen)
    else return false
    return true
  }

  useEffect(() => {
    if (chosen !== undefined) document.getElementById(domId(chosen))?.scrollIntoView({ block: 'nearest' })
  }, [chosen])

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes the dialog by itself; the click is on what lies around it
    <dialog
      ref={dialog}
      className="palette"
      aria-label={t('shell.palette.title')}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <div className="palette-box">
        <div className="palette-field">
          <Icon name="search" />
          <input
            autoFocus
            role="combobox"
            aria-expanded
            aria-controls="palette-found"
            aria-activedescendant={chosen && domId(chosen)}
            aria-label={t('shell.palette.placeholder')}
            placeholder={t('shell.palette.placeholder')}
            value={query}
            onChange={(event) => {
              setQuery(event.target.value)
              setAt(0)
            }}
            onKeyDown={(event) => {
              if (!event.nativeEvent.isComposing && press(event.key)) event.preventDefault()
            }}
          />
          <kbd>Esc</kbd>
        </div>
        <div id="palette-found" role="listbox" aria-label={t('shell.palette.title')} className="palette-found">
          {found.map((entry, index) => (
            <div key={entry.id} role="presentation">
              {entry.kind !== found[index - 1]?.kind && (
                <p className="palette-group">{t(`shell.palette.kind.${entry.kind}`)}</p>
              )}
              {/* biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled in the field that keeps the focus */}
              <div
                id={domId(entry)}
                role="option"
                tabIndex={-1}
                aria-selected={entry === chosen}
                className="palette-entry"
                onMouseMove={() => setAt(index)}
                onClick={() => go(entry)}
              >
                <Icon name={iconOf[entry.kind]} size={14} />
                <span>{entry.title}</span>
                <small>{entry.hint}</small>
              </div>
            </div>
          ))}
        </div>
        {found.length === 0 && (
          <p className="palette-none" role="status">
            {t('shell.palette.none')}
          </p>
        )}
      </div>
    </dialog>
  )
}

const domId = (entry: Entry) => `palette-${entry.id.replaceAll(/[^\w]/g, '_')}`

/** Readings of Chinese titles; until they are loaded, titles are found by their characters only. */
function useSound(): Sound | undefined {
  const [sound, setSound] = useState<{ of: Sound }>()
  useEffect(() => void import('./sound.ts').then(({ soundOf }) => setSound({ of: soundOf })), [])
  return sound?.of
}
