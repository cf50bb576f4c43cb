import type { Target } from '@campanile/contract/command'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DrawerForm } from '../../kit/form/DrawerForm.tsx'
import { Labelled } from '../../kit/form/Labelled.tsx'
import { askToLeave } from '../../shell/tabs/index.ts'
import { DeviceTargetInput } from '../device/pickers.tsx'
import { TermInput } from './TermInput.tsx'

interface Props {
  title: string
  /** What is peculiar to a kind. */
  children: ReactNode
  busy: boolean
  /** Answers whether it was done; then the drawer closes. */
  onSubmit: (given: { sns: string[]; months: number }) => Promise<boolean>
  onClose: () => void
}

/** Devices and a term: what every kind of licence asks for. */
export function AuthoriseDrawer({ title, children, busy, onSubmit, onClose }: Props) {
  const { t } = useTranslation()
  const base = useId()
  const [target, setTarget] = useState<Target>()
  const [months, setMonths] = useState(12)
  const [missing, setMissing] = useState(false)
  const sns = target && 'sns' in target ? target.sns : []
  const close = async () => {
    if (sns.length === 0 || (await askToLeave([title]))) onClose()
  }
  const submit = async () => {
    setMissing(sns.length === 0)
    if (sns.length === 0) document.getElementById(`${base}-devices`)?.focus()
    else if (await onSubmit({ sns, months })) onClose()
  }
  return (
    <DrawerForm title={title} busy={busy} onSubmit={submit} onClose={close}>
      <Labelled
        id={`${base}-devices`}
        label={t('licence.devices')}
        error={missing && sns.length === 0 ? t('licence.chooseDevices') : undefined}
        required
      >
        {(state) => (
          <DeviceTargetInput
            id={state.id}
            label={t('licence.devices')}
            groups={false}
            value={target}
            onChange={setTarget}
            invalid={state['aria-invalid']}
            describedBy={state['aria-describedby']}
          />
        )}
      </Labelled>
      {children}
      <Labelled id={`${base}-term`} label={t('licence.term')} required>
        {(state) => <TermInput {...state} value={months} onChange={setMonths} />}
      </Labelled>
    </DrawerForm>
  )
}
