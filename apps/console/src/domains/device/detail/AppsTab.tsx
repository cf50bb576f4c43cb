import { commandTextKey } from '@campanile/contract/command'
import { type DeviceDetail, device } from '@campanile/contract/device'
import { Button } from 'antd'
import { useState } from 'react'
import { StateMark, usePermitted, useReader } from '../../../kit/index.ts'
import { SearchInput } from '../../../kit/inputs/SearchInput.tsx'
import { useMenu } from '../../../shell/menus/useMenu.tsx'
import { tell } from '../../command/pickers.tsx'

/** The programs the device told of, and what may be done with each. */
export function AppsTab({ detail }: { detail: DeviceDetail }) {
  const reader = useReader(device)
  const { t } = reader
  const [wanted, setWanted] = useState('')
  const { sn } = detail.row
  const mayAsk = usePermitted('device:list:refresh')
  const mayRestart = usePermitted('device:list:restart')
  const mayEnable = usePermitted('device:list:enable')
  const mayUninstall = usePermitted('device:list:uninstall')
  const text = wanted.trim().toLowerCase()
  const apps = detail.apps.filter((app) => `${app.name ?? ''} ${app.package}`.toLowerCase().includes(text))
  const target = { sns: [sn] }
  const actionsOf = (app: DeviceDetail['apps'][number]) => [
    ...(mayRestart
      ? [
          {
            key: 'restartApp',
            label: t(commandTextKey('restartApp')),
            run: () => tell('restartApp', target, { package: app.package }),
          },
        ]
      : []),
    ...(mayEnable
      ? [
          {
            key: 'enable',
            label: t(app.enabled === false ? 'deviceDetail.app.enable' : 'deviceDetail.app.disable'),
            run: () => tell('enableSoftware', target, { package: app.package, enabled: app.enabled === false }),
          },
        ]
      : []),
    ...(mayUninstall
      ? [
          {
            key: 'uninstall',
            danger: true,
            label: t(commandTextKey('uninstall')),
            run: () => tell('uninstall', target, { package: app.package }),
          },
        ]
      : []),
  ]
  const [menu, openMenu] = useMenu<DeviceDetail['apps'][number]>((app) => {
    const actions = actionsOf(app)
    return {
      items: actions.map(({ run: _run, ...item }) => item),
      choose: (chosen) => actions.find(({ key }) => key === chosen)?.run(),
    }
  }, 'bottomRight')
  const acts = mayRestart || mayEnable || mayUninstall
  return (
    <>
      <div className="tab-head">
        <SearchInput
          className="filter-input"
          value={wanted}
          label={t('deviceDetail.app.search')}
          onChange={setWanted}
        />
        {mayAsk && <Button onClick={() => tell('listSoftware', target)}>{t('deviceDetail.app.ask')}</Button>}
      </div>
      {apps.length === 0 ? (
        <p className="list-state card" role="status">
          {t(detail.apps.length === 0 ? 'deviceDetail.app.none' : 'kit.list.noMatch')}
        </p>
      ) : (
        <div className="tab-table">
          <table className="plain-table">
            <thead>
              <tr>
                {['name', 'package', 'version', 'enabled'].map((name) => (
                  <th key={name} scope="col">
                    {t(`deviceDetail.app.column.${name}`)}
                  </th>
                ))}
                {acts && <th scope="col">{t('kit.list.actions')}</th>}
              </tr>
            </thead>
            <tbody>
              {apps.map((app) => (
                <tr key={app.package}>
                  <td>{app.name ?? <span className="nothing">–</span>}</td>
                  <td className="mono">{app.package}</td>
                  <td className="mono">{app.version ?? '–'}</td>
                  <td>
                    {app.enabled === null ? (
                      <span className="nothing">{t('deviceDetail.unknown')}</span>
                    ) : (
                      <StateMark tone={app.enabled ? 'good' : 'off'}>
                        {t(app.enabled ? 'kit.value.yes' : 'kit.value.no')}
                      </StateMark>
                    )}
                  </td>
                  {acts && (
                    <td>
                      <button
                        type="button"
                        className="quiet-button"
                        aria-haspopup="menu"
                        aria-expanded={false}
                        aria-label={t('kit.list.rowMenu', { name: app.name ?? app.package })}
                        onClick={(event) => openMenu(app, event.currentTarget)}
                      >
                        ⋯
                      </button>
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {menu}
    </>
  )
}
