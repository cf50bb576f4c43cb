import { type CommandName, type CommandSpec, commands, giveCommand, type Target } from '@campanile/contract'
import { Button, Input, Modal, Skeleton } from 'antd'
import { useEffect, useEffectEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Labelled } from '../../../kit/form/Labelled.tsx'
import { calls } from '../../../kit/index.ts'
import { describeError } from '../../../shell/errorText.ts'
import { ArgsFields, argFieldId } from './ArgsFields.tsx'
import { Outcome } from './Outcome.tsx'
import { PreviewPanel } from './PreviewPanel.tsx'
import { useArgsForm } from './useArgsForm.ts'
import { useOrder } from './useOrder.ts'
import '../../../kit/kit.css'

export interface Asked {
  readonly command: CommandName
  readonly target: Target
  /** The one device meant, named in the title and typed back before it is destroyed. */
  readonly sn?: string | undefined
  /** Arguments that are known already, such as the app of a row. */
  readonly args?: Readonly<Record<string, unknown>> | undefined
}

/** Arguments, then who will be hit, then how it goes: one command to one device or many. */
export default function CommandDialog({ command, target, sn, args: given, onClose }: Asked & { onClose: () => void }) {
  const { t } = useTranslation()
  const base = useId()
  const order = useOrder((input) => calls.call(giveCommand, input))
  const form = useArgsForm(command, given, order.busy)
  const [args, setArgs] = useState<Record<string, unknown>>()
  const [typed, setTyped] = useState('')
  const { destroys = false }: CommandSpec = commands[command]
  const label = t(`deviceTask.option.command.${command}`)
  const hit = order.preview ? order.preview.total - order.preview.refused.length : 0
  const proof = sn ?? String(hit)
  const proven = !destroys || typed.trim() === proof

  const look = async () => {
    const read = form.read()
    if ('wrong' in read) {
      document.getElementById(argFieldId(base, read.wrong))?.focus()
      return
    }
    setArgs(read.args)
    await order.look({ command, args: read.args, target })
  }
  // Nothing to enter: the first thing to see is who will be hit.
  const lookAtOnce = useEffectEvent(() => form.names.length === 0 && void look())
  useEffect(() => void lookAtOnce(), [])
  const give = () => args && proven && order.give({ command, args, target })

  const step = order.made ? 'made' : order.preview ? 'preview' : 'args'
  const failure = order.error === undefined ? undefined : describeError(order.error)
  return (
    <Modal
      open
      width={560}
      title={sn === undefined ? label : `${label} · ${sn}`}
      onCancel={onClose}
      mask={{ closable: false }}
      footer={
        step === 'made' ? (
          <Button type="primary" onClick={onClose}>
            {t('kit.close')}
          </Button>
        ) : (
          <>
            {step === 'preview' && form.names.length > 0 && (
              <Button onClick={order.back} disabled={order.busy}>
                {t('command.back')}
              </Button>
            )}
            <Button onClick={onClose} disabled={order.busy}>
              {t('kit.cancel')}
            </Button>
            {step === 'args' && form.names.length > 0 && (
              <Button type="primary" loading={order.busy} onClick={look}>
                {t('command.look')}
              </Button>
            )}
            {step === 'args' && form.names.length === 0 && failure && (
              <Button type="primary" loading={order.busy} onClick={look}>
                {t('kit.list.retry')}
              </Button>
            )}
            {step === 'preview' && hit > 0 && (
              <Button type="primary" danger={destroys} disabled={!proven} loading={order.busy} onClick={give}>
                {t('command.send', { command: label, count: hit })}
              </Button>
            )}
          </>
        )
      }
    >
      {failure && (
        <div className="order-error field-error" role="alert">
          <strong>{failure.title}</strong> {failure.text}
        </div>
      )}
      {step === 'args' &&
        (form.names.length > 0 ? (
          <form
            className="kit-form"
            noValidate
            onSubmit={(event) => {
              event.preventDefault()
              void look()
            }}
          >
            <fieldset>
              <ArgsFields base={base} form={form} />
            </fieldset>
          </form>
        ) : (
          !failure && <Skeleton active title={false} paragraph={{ rows: 2 }} />
        ))}
      {step === 'preview' && order.preview && (
        <>
          <PreviewPanel command={command} preview={order.preview} />
          {destroys && hit > 0 && (
            <Labelled
              id={`${base}-proof`}
              label={t(sn === undefined ? 'command.proof.count' : 'command.proof.sn', { proof })}
              help={t(`command.destroys.${command}`)}
              required
            >
              {(field) => (
                <Input {...field} className="mono" value={typed} onChange={(event) => setTyped(event.target.value)} />
              )}
            </Labelled>
          )}
        </>
      )}
      {order.made && <Outcome made={order.made} figures={order.made.figures} />}
    </Modal>
  )
}
