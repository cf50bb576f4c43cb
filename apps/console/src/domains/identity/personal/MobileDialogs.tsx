import { changeMobile, removeMobile, sendMobileCode } from '@campanile/contract/identity'
import { Button, Input, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { calls } from '../../../kit/calls.ts'
import { encryptSecret } from '../../../kit/encrypt.ts'
import { DialogForm } from '../../../kit/form/DialogForm.tsx'
import { Labelled } from '../../../kit/form/Labelled.tsx'
import { useFields } from '../../../kit/form/useFields.ts'
import { showError, toast } from '../../../shell/feedback.ts'
import { useCountdown } from '../../../shell/useCountdown.ts'
import { CurrentPassword } from './CurrentPassword.tsx'
import { SixDigits } from './SixDigits.tsx'

interface Props {
  onClose: () => void
  onChanged: () => void
}

interface Asked {
  mobile: string
  password: string
}

const send = async ({ mobile, password }: Asked) =>
  calls.call(sendMobileCode, { mobile, password: await encryptSecret(password) })

/** Two steps: the password and the number, then the code that was sent to it. */
export function ChangeMobile({ start, onClose, onChanged }: Props & { start: string }) {
  const { t } = useTranslation()
  const [asked, setAsked] = useState<Asked>()
  const countdown = useCountdown()
  const sent = (now: Asked) => {
    setAsked(now)
    countdown.start()
  }
  const done = () => {
    toast.success(t('personal.mobile.changed'))
    onChanged()
    onClose()
  }
  return (
    <Modal
      open
      width={440}
      title={t('personal.mobile.title')}
      footer={null}
      onCancel={onClose}
      mask={{ closable: false }}
    >
      {asked === undefined ? (
        <NumberStep start={start} onSent={sent} onCancel={onClose} />
      ) : (
        <CodeStep asked={asked} left={countdown.left} onSent={sent} onDone={done} onCancel={onClose} />
      )}
    </Modal>
  )
}

function NumberStep(props: { start: string; onSent: (asked: Asked) => void; onCancel: () => void }) {
  const { t } = useTranslation()
  const form = useFields(
    { mobile: props.start, password: '' },
    {
      check: ({ mobile, password }) => ({
        ...(sendMobileCode.input.shape.mobile.safeParse(mobile).success
          ? {}
          : { mobile: t('kit.error.format.mobile') }),
        ...(password === '' ? { password: t('kit.error.required') } : {}),
      }),
    },
  )
  const next = async () => {
    if (await form.submit(send)) props.onSent(form.values)
  }
  const mobile = form.field('mobile')
  return (
    <DialogForm
      lead={t('personal.mobile.numberLead')}
      submit={t('personal.mobile.send')}
      busy={form.busy}
      onSubmit={next}
      onCancel={props.onCancel}
    >
      <Labelled {...mobile} label={t('personal.mobile.number')} help={t('personal.mobile.help')} required>
        {(state) => (
          <Input
            {...state}
            className="mono"
            inputMode="tel"
            autoComplete="tel-national"
            maxLength={11}
            {...(mobile.error === undefined ? {} : { status: 'error' as const })}
            value={form.values.mobile}
            onChange={(event) => form.set('mobile', event.target.value.trim())}
            onBlur={mobile.onBlur}
          />
        )}
      </Labelled>
      <CurrentPassword
        field={form.field('password')}
        value={form.values.password}
        onChange={(password) => form.set('password', password)}
      />
    </DialogForm>
  )
}

interface CodeProps {
  asked: Asked
  /** Seconds until another code may be sent. */
  left: number
  onSent: (asked: Asked) => void
  onDone: () => void
  onCancel: () => void
}

function CodeStep({ asked, left, onSent, onDone, onCancel }: CodeProps) {
  const { t } = useTranslation()
  const [sending, setSending] = useState(false)
  const form = useFields(
    { code: '' },
    { check: ({ code }) => (/^\d{6}$/.test(code) ? {} : { code: t('personal.mobile.sixDigits') }) },
  )
  const again = async () => {
    setSending(true)
    try {
      await send(asked)
      onSent(asked)
    } catch (error) {
      showError(error)
    } finally {
      setSending(false)
    }
  }
  const confirm = async () => {
    if (await form.submit(({ code }) => calls.call(changeMobile, { mobile: asked.mobile, code }))) onDone()
  }
  return (
    <DialogForm
      lead={t('personal.mobile.codeLead', { mobile: asked.mobile })}
      submit={t('personal.mobile.save')}
      busy={form.busy}
      onSubmit={confirm}
      onCancel={onCancel}
    >
      <SixDigits
        {...form.field('code')}
        value={form.values.code}
        onChange={(code) => form.set('code', code)}
        label={t('personal.mobile.code')}
      />
      <div>
        <Button disabled={left > 0} loading={sending} onClick={() => void again()}>
          {left > 0 ? t('personal.mobile.sendAgainIn', { seconds: left }) : t('personal.mobile.sendAgain')}
        </Button>
      </div>
    </DialogForm>
  )
}

/** The password alone: nothing is left that a code could be sent to. */
export function RemoveMobile({ onClose, onChanged }: Props) {
  const { t } = useTranslation()
  const form = useFields(
    { password: '' },
    { check: ({ password }) => (password === '' ? { password: t('kit.error.required') } : {}) },
  )
  const remove = async () => {
    const done = await form.submit(async ({ password }) =>
      calls.call(removeMobile, { password: await encryptSecret(password) }),
    )
    if (!done) return
    toast.success(t('personal.mobile.removed'))
    onChanged()
    onClose()
  }
  return (
    <Modal open width={440} title={t('personal.mobile.remove')} footer={null} onCancel={onClose}>
      <DialogForm
        lead={t('personal.mobile.removeLead')}
        submit={t('personal.mobile.remove')}
        danger
        busy={form.busy}
        onSubmit={remove}
        onCancel={onClose}
      >
        <CurrentPassword
          field={form.field('password')}
          value={form.values.password}
          onChange={(password) => form.set('password', password)}
        />
      </DialogForm>
    </Modal>
  )
}
