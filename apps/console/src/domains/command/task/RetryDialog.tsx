import type { brokerTask, deviceTask, RetryAnswer, Windows } from '@campanile/contract/command'
import { type CommandName, commands, commandTextKey } from '@campanile/contract/command'
import type { CommandSpec } from '@campanile/contract/kit'
import { useQuery } from '@tanstack/react-query'
import { Button, Modal, Skeleton } from 'antd'
import { useId, useState } from 'react'
import { Failed } from '../../../kit/Failed.tsx'
import { calls, useReader } from '../../../kit/index.ts'
import { PreviewPanel } from '../order/PreviewPanel.tsx'
import { ProofInput } from '../order/ProofInput.tsx'
import { WindowList } from '../order/WindowList.tsx'
import { type Again, againInput } from './again.ts'
import '../../../kit/kit.css'

interface Props extends Again {
  readonly resource: typeof deviceTask | typeof brokerTask
  readonly onSend: () => unknown
  readonly onClose: () => void
}

const isOurs = (name: string): name is CommandName => Object.hasOwn(commands, name)

/** How an order that goes at once stands to the maintenance windows of its devices. */
const standingOf = (windows: Windows) =>
  windows.length === 0 ? 'gone' : windows.every(({ open }) => open) ? 'inside' : 'outside'

/**
 * Who would receive it again and who is refused, before it is sent. What destroys asks to be typed back, as it did the first
 * time: one device by its serial number.
 */
export function RetryDialog({ resource, onSend, onClose, ...again }: Props) {
  const reader = useReader(resource)
  const { t } = reader
  const id = useId()
  const [typed, setTyped] = useState('')
  const command = isOurs(again.command) ? again.command : 'custom'
  const { data, error, refetch } = useQuery({
    queryKey: ['retry', resource.name, againInput(again)],
    queryFn: async () =>
      (await calls.action(resource, 'retry', { ...againInput(again), dryRun: true })) as unknown as RetryAnswer,
    gcTime: 0,
    retry: false,
  })
  const hit = data?.retried ?? 0
  const sn = again.sn ?? (hit === 1 ? data?.first?.[0] : undefined)
  const destroys = (commands[command] as CommandSpec).destroys ?? false
  const proof = sn ?? String(hit)
  const proven = !destroys || typed.trim() === proof
  const name = command === 'custom' ? again.command : t(commandTextKey(command))
  const send = () => {
    if (hit === 0 || !proven) return
    onClose()
    onSend()
  }
  return (
    <Modal
      open
      width={560}
      title={t('command.again.title', { command: name })}
      onCancel={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('kit.cancel')}</Button>
          <Button type="primary" danger={destroys} disabled={hit === 0 || !proven} autoFocus={!destroys} onClick={send}>
            {t('command.again.send', { count: hit, shown: reader.number(hit) })}
          </Button>
        </>
      }
    >
      {error && <Failed error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton active title={false} paragraph={{ rows: 3 }} />}
      {data && (
        <PreviewPanel
          command={command}
          preview={{
            receiving: hit,
            online: data.online ?? 0,
            refused: data.refused ?? [],
          }}
        />
      )}
      {data?.windows && hit > 0 && (
        <section className="order-windows">
          <p role="status">{t(`command.again.${standingOf(data.windows)}`)}</p>
          <WindowList windows={data.windows} />
        </section>
      )}
      {data && destroys && hit > 0 && (
        <ProofInput id={id} command={command} sn={sn} proof={proof} typed={typed} onType={setTyped} />
      )}
    </Modal>
  )
}
