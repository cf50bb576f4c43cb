import { type CommandName, runBatch, type Target } from '@campanile/contract/command'
import { devicesMax } from '@campanile/contract/device'
import { Button } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Labelled } from '../../../kit/form/Labelled.tsx'
import { calls, usePermitted } from '../../../kit/index.ts'
import { Page } from '../../../shell/Page.tsx'
import { PickDialog } from '../../device/pickers.tsx'
import { CommandSelect } from '../order/CommandSelect.tsx'
import { EnteredFields } from '../order/EnteredFields.tsx'
import { OrderBody, OrderButtons } from '../order/OrderBody.tsx'
import { useCommandForm, useEntered } from '../order/useEntered.ts'
import { useOrderSteps } from '../order/useOrderSteps.ts'
import { BatchDevices } from './BatchDevices.tsx'
import { useBatchDevices } from './useBatchDevices.ts'
import '../../../kit/cards.css'
import '../../../kit/kit.css'
import './batch.css'

/** Many devices, one command: chosen here, looked at before it is sent, followed to its end. */
export default function BatchScreen() {
  const { t, i18n } = useTranslation()
  const id = useId()
  const number = new Intl.NumberFormat(i18n.language)
  const mayRun = usePermitted(runBatch.perm)
  const { sns, devices, choose } = useBatchDevices()
  const [picking, setPicking] = useState(false)
  const [command, setCommand] = useState<CommandName>()
  const [busy, setBusy] = useState(false)
  const tooMany = sns.length > devicesMax
  const target: Target | undefined = sns.length === 0 || tooMany ? undefined : { sns: [...sns] }
  const chosen = (picked: Target) => {
    if ('sns' in picked) choose(picked.sns)
    setPicking(false)
  }
  return (
    <Page
      title={t('menu.entry.deviceBatch')}
      sub={t('batch.count', { count: sns.length, shown: number.format(sns.length) })}
      actions={
        <>
          {sns.length > 0 && (
            <Button onClick={() => choose([])} disabled={busy}>
              {t('batch.clear')}
            </Button>
          )}
          <Button
            {...(sns.length === 0 ? { type: 'primary' as const } : {})}
            onClick={() => setPicking(true)}
            disabled={busy}
          >
            {t('batch.add')}
          </Button>
        </>
      }
    >
      <div className="batch">
        <section className="card" aria-label={t('batch.devices')}>
          <h2>{t('batch.devices')}</h2>
          {tooMany && (
            <p className="field-error" role="alert">
              {t('error.93018', { limit: number.format(devicesMax) })}
            </p>
          )}
          {sns.length === 0 ? (
            <p className="card-empty">{t('batch.none')}</p>
          ) : (
            <BatchDevices
              devices={devices}
              disabled={busy}
              onRemove={(gone) => choose(sns.filter((sn) => sn !== gone))}
            />
          )}
        </section>
        {mayRun && (
          <section className="card" aria-label={t('command.title')}>
            <h2>{t('command.title')}</h2>
            {command === undefined ? (
              <Labelled id={id} label={t('command.choose')} required>
                {(field) => <CommandSelect id={field.id} value={command} onChange={setCommand} />}
              </Labelled>
            ) : (
              <BatchOrder
                key={command}
                command={command}
                setCommand={setCommand}
                target={target}
                onStep={(step) => setBusy(step === 'preview')}
              />
            )}
          </section>
        )}
      </div>
      {picking && (
        <PickDialog
          title={t('batch.add')}
          value={target}
          groups={false}
          onChoose={chosen}
          onClose={() => setPicking(false)}
        />
      )}
    </Page>
  )
}

interface OrderProps {
  command: CommandName
  setCommand: (command: CommandName) => void
  target: Target | undefined
  onStep: (step: 'args' | 'preview' | 'made') => void
}

function BatchOrder({ command, setCommand, target, onStep }: OrderProps) {
  const { t } = useTranslation()
  const id = useId()
  const form = useEntered(useCommandForm(command))
  const steps = useOrderSteps({
    command,
    target,
    read: form.read,
    fieldOf: form.fieldOf,
    send: (input) => calls.call(runBatch, input),
    onStep,
  })
  return (
    <>
      <OrderBody steps={steps}>
        <Labelled id={id} label={t('command.choose')} required>
          {(field) => <CommandSelect id={field.id} value={command} onChange={setCommand} />}
        </Labelled>
        <EnteredFields form={form} />
        {steps.nobody && (
          <p className="field-error" role="alert">
            {t('error.93017')}
          </p>
        )}
      </OrderBody>
      <div className="drawer-buttons batch-buttons">
        <OrderButtons steps={steps} again />
      </div>
    </>
  )
}
