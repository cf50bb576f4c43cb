import { type CommandName, commandTextKey, createBrokerTask } from '@campanile/contract/command'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePermitted } from '../../../kit/index.ts'
import { groupedCommands } from '../order/offered.ts'
import { usePermittedCommands } from '../order/usePermittedCommands.ts'
import type { Facts } from './useTargets.ts'

interface Props {
  value: CommandName | undefined
  facts: Facts | undefined
  wanted: boolean
  onChange: (command: CommandName) => void
}

/** What may be said to these devices: what is asked for every day in sight, the rest under its groups, danger last. */
export function CommandTiles({ value, facts, wanted, onChange }: Props) {
  const { t } = useTranslation()
  const permitted = usePermittedCommands()
  const mayOwn = usePermitted(createBrokerTask.perm)
  const groups = groupedCommands(permitted, facts, value)
  const [first, ...rest] = groups
  const [all, setAll] = useState(value !== undefined && !first?.names.includes(value))
  const tile = (name: CommandName, danger = false) => (
    <Button
      key={name}
      className="composer-tile"
      aria-pressed={value === name}
      danger={danger}
      onClick={() => onChange(name)}
    >
      {name === 'custom' ? t('composer.own') : t(commandTextKey(name))}
    </Button>
  )
  const more = rest.length > 0 || mayOwn
  return (
    <div className="composer-tiles" data-empty={value === undefined}>
      <div className="composer-tile-row">
        {first?.names.map((name) => tile(name, first.kind === 'danger'))}
        {more && (
          <Button className="composer-tile" aria-expanded={all} onClick={() => setAll(!all)}>
            {t(all ? 'composer.less' : 'composer.more')}
          </Button>
        )}
      </div>
      {all &&
        rest.map(({ kind, names }) => (
          <fieldset key={kind} className="composer-kind" data-danger={kind === 'danger'}>
            <legend>{t(`command.kind.${kind}`)}</legend>
            <div className="composer-tile-row">
              {names.map((name) => tile(name, kind === 'danger'))}
              {kind === 'setUp' && mayOwn && tile('custom')}
            </div>
          </fieldset>
        ))}
      {wanted && value === undefined && (
        <p className="field-error" role="alert">
          {t('composer.unsure.command')}
        </p>
      )}
    </div>
  )
}
