import type { DeviceDetail } from '@campanile/contract/device'
import { Button, Input, Switch } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SearchInput } from '../../../kit/inputs/SearchInput.tsx'

interface Props {
  apps: DeviceDetail['apps']
  mode: 'single' | 'multi'
  allowed: readonly string[]
  onChange: (packages: string[]) => void
}

/** Programs the device told of, and those allowed by name that it did not: each allowed or not. */
export function KioskApps({ apps, mode, allowed, onChange }: Props) {
  const { t } = useTranslation()
  const [wanted, setWanted] = useState('')
  const [named, setNamed] = useState('')
  const known = new Set(apps.map((app) => app.package))
  const all = [
    ...apps,
    ...allowed.filter((each) => !known.has(each)).map((each) => ({ package: each, name: null, version: null })),
  ]
  const text = wanted.trim().toLowerCase()
  const shown = all.filter((app) => `${app.name ?? ''} ${app.package}`.toLowerCase().includes(text))
  const allow = (name: string, on: boolean) => {
    const others = allowed.filter((each) => each !== name)
    onChange(on ? (mode === 'single' ? [name] : [...others, name]) : others)
  }
  const add = () => {
    const name = named.trim()
    if (name === '') return
    allow(name, true)
    setNamed('')
  }
  return (
    <>
      <div className="tab-head">
        <SearchInput
          className="filter-input"
          value={wanted}
          label={t('deviceDetail.app.search')}
          onChange={setWanted}
        />
        <span className="drawer-buttons">
          <Input
            className="mono"
            value={named}
            maxLength={128}
            placeholder={t('deviceKiosk.package')}
            aria-label={t('deviceKiosk.package')}
            onChange={(event) => setNamed(event.target.value)}
            onPressEnter={add}
          />
          {named.trim() !== '' && <Button onClick={add}>{t('deviceKiosk.add')}</Button>}
        </span>
      </div>
      {shown.length === 0 ? (
        <p className="list-state card" role="status">
          {t(all.length === 0 ? 'deviceKiosk.noApps' : 'kit.list.noMatch')}
        </p>
      ) : (
        <div className="tab-table">
          <table className="plain-table">
            <thead>
              <tr>
                <th scope="col">{t('deviceDetail.app.column.name')}</th>
                <th scope="col">{t('deviceDetail.app.column.package')}</th>
                <th scope="col">{t('deviceKiosk.allowed')}</th>
                <th scope="col">{t('deviceKiosk.home')}</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((app) => {
                const on = allowed.includes(app.package)
                return (
                  <tr key={app.package}>
                    <td>{app.name ?? <span className="nothing">–</span>}</td>
                    <td className="mono">{app.package}</td>
                    <td>
                      <Switch
                        checked={on}
                        aria-label={t('deviceKiosk.allow', { name: app.name ?? app.package })}
                        onChange={(next) => allow(app.package, next)}
                      />
                    </td>
                    <td>
                      {on &&
                        (allowed[0] === app.package ? (
                          t('deviceKiosk.isHome')
                        ) : (
                          <button
                            type="button"
                            className="link-button"
                            onClick={() => onChange([app.package, ...allowed.filter((each) => each !== app.package)])}
                          >
                            {t('deviceKiosk.makeHome')}
                          </button>
                        ))}
                    </td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        </div>
      )}
    </>
  )
}
