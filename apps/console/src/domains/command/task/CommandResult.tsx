import { cutMark } from '@campanile/contract/command'
import { useQuery } from '@tanstack/react-query'
import { Button, Modal, Skeleton } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Failed } from '../../../kit/Failed.tsx'
import { Json } from '../order/Json.tsx'
import './task.css'

interface Props {
  /** What the list has of it. */
  text: string | null
  /** Names the whole of it among what was asked for before. */
  wholeKey: readonly unknown[]
  whole: (signal: AbortSignal) => Promise<string | null>
}

/** What a device answered: its beginning in the row, the whole of it on demand. */
export function CommandResult({ text, ...rest }: Props) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  if (!text) return <span className="nothing">–</span>
  return (
    <span className="command-result">
      <Button type="link" size="small" onClick={() => setOpen(true)}>
        {t('command.viewResult')}
      </Button>
      <span className="mono quiet">{text}</span>
      <Modal
        open={open}
        width={640}
        title={t('taskDevice.field.result')}
        footer={null}
        onCancel={() => setOpen(false)}
        destroyOnHidden
      >
        {text.endsWith(cutMark) ? <Whole {...rest} /> : <Json text={text} />}
      </Modal>
    </span>
  )
}

function Whole({ wholeKey, whole }: Omit<Props, 'text'>) {
  const { data, error, refetch } = useQuery({ queryKey: wholeKey, queryFn: ({ signal }) => whole(signal) })
  if (error) return <Failed error={error} onRetry={refetch} />
  return data === undefined ? <Skeleton active /> : <Json text={data ?? ''} />
}
