import { user } from '@campanile/contract/identity'
import type { Row } from '@campanile/contract/kit'
import { Button, Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import { StateMark } from '../../../kit/index.ts'
import { useAction } from '../../../kit/useAction.ts'
import { twoFactorState, twoFactorTones } from './twoFactorState.ts'

interface Props {
  row: Row<typeof user>
  onClose: () => void
  onDone: () => unknown
}

/** Another person's second factor is asked for and taken away here; the secret is shown to its owner alone. */
export function UserTwoFactor({ row, onClose, onDone }: Props) {
  const { t } = useTranslation()
  const reset = useAction(user, 'resetTwoFactor', { onDone })
  const demand = useAction(user, 'requireTwoFactor', { onDone })
  const state = twoFactorState(row)
  const then = async (done: Promise<boolean>) => {
    if (await done) onClose()
  }
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
        state === 'off' ? (
          <Button
            key="require"
            type="primary"
            loading={demand.running}
            onClick={() => then(demand.run({ id: row.id }))}
          >
            {t('user.action.requireTwoFactor')}
          </Button>
        ) : (
          <Button
            key="reset"
            danger
            type="primary"
            loading={reset.running}
            onClick={() => then(reset.run({ id: row.id }))}
          >
            {t('user.action.resetTwoFactor')}
          </Button>
        ),
      ]}
    >
      <p>
        <StateMark tone={twoFactorTones[state]}>{t(`user.twoFactor.${state}`)}</StateMark>
      </p>
      <p className="dialog-text">{t(`user.twoFactor.${state === 'on' ? 'reset' : state}Lead`)}</p>
    </Modal>
  )
}
