import { user } from '@campanile/contract/identity'
import type { Row } from '@campanile/contract/kit'
import { Button, Modal, Tooltip } from 'antd'
import { useTranslation } from 'react-i18next'
import { StateMark } from '../../../kit/index.ts'
import { useAction } from '../../../kit/useAction.ts'

interface Props {
  row: Row<typeof user>
  onClose: () => void
  onDone: () => unknown
}

/** S114: another person's second factor is seen and taken away here; setting one up is theirs alone. */
export function UserTwoFactor({ row, onClose, onDone }: Props) {
  const { t } = useTranslation()
  const reset = useAction(user, 'resetTwoFactor', { onDone })
  return (
    <Modal
      open
      width={440}
      title={t('user.twoFactor.title', { name: row.username })}
      onCancel={onClose}
      footer={[
        <Button key="close" onClick={onClose}>
          {t('kit.close')}
        </Button>,
        <Tooltip key="reset" title={row.enable2fa ? undefined : t('user.twoFactor.nothingToReset')}>
          <Button
            danger
            type="primary"
            disabled={!row.enable2fa}
            loading={reset.running}
            onClick={async () => {
              if (await reset.run({ id: row.id })) onClose()
            }}
          >
            {t('user.action.resetTwoFactor')}
          </Button>
        </Tooltip>,
      ]}
    >
      <p>
        <StateMark tone={row.enable2fa ? 'good' : 'off'}>
          {t(`user.twoFactor.${row.enable2fa ? 'on' : 'off'}`)}
        </StateMark>
      </p>
      <p className="dialog-text">{t(`user.twoFactor.${row.enable2fa ? 'resetLead' : 'offLead'}`)}</p>
    </Modal>
  )
}
