import { useState } from 'react'
import type { InputProps } from '../../../kit/inputs/input-props.ts'
import { SearchInput } from '../../../kit/inputs/SearchInput.tsx'
import type { Facts } from './useTargets.ts'

const inSight = 5

type App = Facts['apps'][number]
const typedApp = (name: string): App => ({ package: name, name: null, version: null, devices: 0 })
const textOf = (app: App) => `${app.name ?? ''} ${app.package}`.toLowerCase()

/** An app, or several, by the names the devices gave them; one that none has told of is typed as its package. */
export function AppChoice({
  id,
  value,
  onChange,
  field,
  reader,
  invalid,
  facts,
}: InputProps & { facts: Facts | undefined }) {
  const { t } = reader
  const [typed, setTyped] = useState('')
  const several = field.kind === 'lines'
  const chosen: readonly string[] = several
    ? Array.isArray(value)
      ? value.map(String)
      : String(value ?? '')
          .split('\n')
          .filter(Boolean)
    : value
      ? [String(value)]
      : []
  const known = facts?.apps ?? []
  const wanted = typed.trim()
  const matching = known.filter((app) => textOf(app).includes(wanted.toLowerCase()))
  const strangers = chosen.filter((name) => !known.some((app) => app.package === name)).map(typedApp)
  const shown = [...strangers, ...matching.filter((app, at) => at < inSight || chosen.includes(app.package))]
  const hidden = matching.length - shown.filter((app) => matching.includes(app)).length
  const isNew = wanted !== '' && !known.some((app) => app.package === wanted) && !chosen.includes(wanted)
  const toggle = (name: string) => {
    if (!several) onChange(name)
    else {
      const next = chosen.includes(name) ? chosen.filter((each) => each !== name) : [...chosen, name]
      onChange(next)
    }
    setTyped('')
  }
  return (
    <fieldset className="app-choice" aria-label={reader.field(several ? 'packages' : 'package')} data-invalid={invalid}>
      {!several && !field.required && (
        <label className="app-line">
          <input type="radio" name={`${id}-app`} checked={chosen.length === 0} onChange={() => onChange('')} />
          <span>{t('composer.apps.own')}</span>
        </label>
      )}
      {shown.map((app) => (
        <label key={app.package} className="app-line">
          <input
            type={several ? 'checkbox' : 'radio'}
            name={`${id}-app`}
            checked={chosen.includes(app.package)}
            onChange={() => toggle(app.package)}
          />
          <span>{app.name ?? app.package}</span>
          {app.name !== null && <span className="mono quiet">{app.version ?? app.package}</span>}
          {app.devices > 0 && (
            <span className="app-count figure">{t('composer.apps.on', { shown: reader.number(app.devices) })}</span>
          )}
        </label>
      ))}
      <div className="app-line">
        <SearchInput
          id={id}
          className="whole"
          label={
            known.length === 0
              ? t('composer.apps.none')
              : hidden > 0
                ? t('composer.apps.more', { shown: reader.number(hidden) })
                : t('composer.apps.find')
          }
          value={typed}
          onChange={setTyped}
          onPressEnter={(event) => {
            if (wanted === '') return
            // It chooses what was typed instead of sending all.
            event.preventDefault()
            toggle(matching[0]?.package ?? wanted)
          }}
        />
        {isNew && (
          <button type="button" className="link-button" onClick={() => toggle(wanted)}>
            {t('composer.apps.typed', { text: wanted })}
          </button>
        )}
      </div>
    </fieldset>
  )
}
