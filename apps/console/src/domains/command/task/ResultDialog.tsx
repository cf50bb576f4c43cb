import { cutMark } from '@campanile/contract/command'
import { useQuery } from '@tanstack/react-query'
import { Modal, Skeleton } from 'antd'
import { useTranslation } from 'react-i18next'
import { Failed } from '../../../kit/Failed.tsx'
import { Json } from '../order/Json.tsx'

export interface Result {
  /** What the list has of it. */
  text: string
  /** Names the whole of it among what was asked for before. */
  wholeKey: readonly unknown[]
  whole: (signal: AbortSignal) => Promise<string | null>
}

/** All that a device answered. */
export function ResultDialog({ text, onClose, ...rest }: Result & { onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Modal open width={640} title={t('taskDevice.field.result')} footer={null} onCancel={onClose}>
      {text.endsWith(cutMark) ? <Whole {...rest} /> : <Json text={text} />}
    </Modal>
  )
}

function Whole({ wholeKey, whole }: Omit<Result, 'text'>) {
  const { data, error, refetch } = useQuery({ queryKey: wholeKey, queryFn: ({ signal }) => whole(signal) })
  if (error) return <Failed error={error} onRetry={refetch} />
  return data === undefined ? <Skeleton active /> : <Json text={data ?? ''} />
}
