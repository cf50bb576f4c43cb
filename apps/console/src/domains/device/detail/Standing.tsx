import { createCodes } from '@campanile/contract/activation'
import { activationStates, type DeviceDetail } from '@campanile/contract/device'
import { Alert, Button } from 'antd'
import { useTranslation } from 'react-i18next'
import type { Later } from '../../../shell/later.tsx'
import { usePermission } from '../../../shell/permissions.ts'

interface Props {
  detail: Pick<DeviceDetail, 'row' | 'lastConnected'>
  near?: Later<never>['near']
  onActivate: () => void
}

/** Why nothing can come from a device: it has not been activated, is bound to nobody, or has never come. And what to do next. */
export function Standing({ detail: { row, lastConnected }, near, onActivate }: Props) {
  const { t } = useTranslation()
  const mayMakeCodes = usePermission(createCodes.perm)
  const { notActivated, unbound, unbinding } = activationStates
  const { activationStatus: status, departmentName } = row
  if (status === unbinding)
    return (
      <Alert
        type="info"
        showIcon
        role="status"
        title={t('deviceDetail.standing.unbinding')}
        description={t('deviceDetail.standing.unbindingText')}
      />
    )
  if (status !== notActivated && status !== unbound)
    return lastConnected === null ? (
      <Alert
        type="info"
        showIcon
        role="status"
        title={t('deviceDetail.neverConnected')}
        description={t('deviceDetail.neverText')}
      />
    ) : null
  const which = status === notActivated ? 'notActivated' : 'unbound'
  return (
    <Alert
      type="info"
      showIcon
      role="status"
      title={t(`deviceDetail.standing.${which}`)}
      description={t(`deviceDetail.standing.${which}${mayMakeCodes ? 'Text' : 'Ask'}`, {
        organisation: departmentName,
      })}
      action={
        mayMakeCodes && (
          <Button {...near} type="primary" onClick={onActivate}>
            {t('deviceDetail.activate.button')}
          </Button>
        )
      }
    />
  )
}
