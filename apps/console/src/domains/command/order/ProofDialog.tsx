import { type CommandName, commandTextKey } from '@campanile/contract/command'
import { Button, Modal } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProofInput } from './ProofInput.tsx'
import '../../../kit/kit.css'

export interface Proof {
  readonly command: CommandName
  /** The one device meant; it is typed back. Otherwise the number of devices is. */
  readonly sn?: string | undefined
  readonly count: number
}

interface Props extends Proof {
  onProven: () => void
  onClose: () => void
}

/** What destroys is sent again only by somebody who has typed whom it hits, as the first time. */
export function ProofDialog({ command, sn, count, onProven, onClose }: Props) {
  const { t } = useTranslation()
  const id = useId()
  const [typed, setTyped] = useState('')
  const name = t(commandTextKey(command))
  const proof = sn ?? String(count)
  const proven = typed.trim() === proof
  return (
    <Modal
      open
      width={560}
      title={sn === undefined ? t('command.again.title', { command: name }) : `${name} · ${sn}`}
      onCancel={onClose}
      mask={{ closable: false }}
      footer={
        <>
          <Button onClick={onClose}>{t('kit.cancel')}</Button>
          <Button type="primary" danger disabled={!proven} onClick={onProven}>
            {t('command.again.verb', { command: name })}
          </Button>
        </>
      }
    >
      <p>{t('command.again.lead', { count })}</p>
      <ProofInput id={id} command={command} sn={sn} proof={proof} typed={typed} onType={setTyped} />
    </Modal>
  )
}
