import type { ReactNode } from 'react'
import { Icon } from '../icons.tsx'
import type { Option, Verb } from './groups.tsx'

export const domId = (option: Option) => `palette-${option.id.replaceAll(/[^\w]/g, '_')}`

/** Until somebody asks for all of them. */
const verbsInSight = 3

interface Props {
  option: Option
  wanted: string
  chosen: boolean
  /** The arrow was pressed: the next letter says what to do. */
  acting: boolean
  open: string
  onPoint: () => void
  onChoose: () => void
  onVerb: (verb: Verb) => void
}

/** A line of the palette. What can be done with it stands on it while it is highlighted. */
export function PaletteOption({ option, wanted, chosen, acting, open, onPoint, onChoose, onVerb }: Props) {
  const lettered = option.verbs.filter(({ letter }) => letter !== undefined)
  const verbs = acting ? lettered : lettered.slice(0, verbsInSight)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled in the field that keeps the focus
    <div
      id={domId(option)}
      role="option"
      tabIndex={-1}
      aria-selected={chosen}
      aria-description={chosen && lettered.length > 0 ? lettered.map(spokenVerb).join(', ') : undefined}
      className="palette-entry"
      data-tall={option.below !== undefined}
      data-acting={chosen && acting}
      onMouseMove={onPoint}
      onClick={onChoose}
    >
      <Icon name={option.icon} size={16} />
      <span className="palette-what">
        <span className="palette-line">
          <span className={option.mono === true ? 'palette-name mono' : 'palette-name'}>
            <Marked text={option.title} wanted={wanted} />
          </span>
          {option.beside && <span className="palette-beside">{option.beside}</span>}
        </span>
        {option.below && <span className="palette-below">{option.below}</span>}
      </span>
      {chosen && lettered.length > 0 ? (
        <span className="palette-verbs" aria-hidden="true">
          {!acting && <Key name="↵" label={open} onPress={onChoose} />}
          {verbs.map((verb) => (
            <Key
              key={verb.id}
              name={verb.letter ?? ''}
              label={verb.label}
              danger={verb.danger === true}
              onPress={() => onVerb(verb)}
            />
          ))}
        </span>
      ) : (
        option.end && <span className="palette-end">{option.end}</span>
      )}
    </div>
  )
}

const spokenVerb = ({ letter, label }: Verb) => `${letter} ${label}`

interface KeyProps {
  name: string
  label: string
  danger?: boolean
  onPress: () => void
}

/** For the pointer; the same is done by its key. */
function Key({ name, label, danger = false, onPress }: KeyProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled in the field that keeps the focus
    // biome-ignore lint/a11y/noStaticElementInteractions: a button cannot stand inside an option
    <span
      className="palette-verb"
      data-danger={danger}
      onClick={(event) => {
        event.stopPropagation()
        onPress()
      }}
    >
      <kbd>{name}</kbd> {label}
    </span>
  )
}

/** What was looked for, marked where it stands. */
function Marked({ text, wanted }: { text: string; wanted: string }): ReactNode {
  const at = wanted === '' ? -1 : text.toLowerCase().indexOf(wanted.toLowerCase())
  if (at < 0) return text
  const end = at + wanted.length
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, end)}</mark>
      {text.slice(end)}
    </>
  )
}
