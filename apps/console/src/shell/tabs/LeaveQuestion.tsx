import { Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import type { Question } from './ask.ts'

export function LeaveQuestion({ question, onClose }: { question: Question; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Modal
      open
      title={t('shell.leave.title')}
      okText={t('shell.leave.discard')}
      okButtonProps={{ danger: true }}
      cancelText={t('shell.leave.stay')}
      onOk={() => question.answer(true)}
      onCancel={onClose}
      width={420}
      centered
    >
      <p>{t('shell.leave.text')}</p>
      {question.titles.length > 0 && (
        <ul className="leave-list">
          {question.titles.map((title) => (
            <li key={title}>{title}</li>
          ))}
        </ul>
      )}
    </Modal>
  )
}
