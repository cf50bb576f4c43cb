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

const { notActivated, unbound, unbinding } = activationStates

/** What keeps a device from saying anything. */
const standingOf = (status: number, never: boolean) => {
  if (status === unbinding) return 'unbinding'
  if (status === notActivated) return 'notActivated'
  if (status === unbound) return 'unbound'
  return never ? 'never' : undefined
}

/** Why nothing can come from a device: it has not been activated, is bound to nobody, or has never come. And what to do next. */
export function Standing({ detail: { row, lastConnected }, near, onActivate }: Props) {
  const { t } = useTranslation()
  const mayMakeCodes = usePermission(createCodes.perm)
  const which = standingOf(row.activationStatus, lastConnected === null)
  if (!which) return null
  const activates = which === 'notActivated' || which === 'unbound'
  const text = activates && !mayMakeCodes ? 'Ask' : 'Text'
  return (
    <Alert
      type="info"
      showIcon
      role="status"
      title={t(which === 'never' ? 'deviceDetail.neverConnected' : `deviceDetail.standing.${which}`)}
      description={t(which === 'never' ? 'deviceDetail.neverText' : `deviceDetail.standing.${which}${text}`, {
        organisation: row.departmentName,
      })}
      action={
        activates &&
        mayMakeCodes && (
          <Button {...near} type="primary" onClick={onActivate}>
            {t('deviceDetail.activate.button')}
          </Button>
        )
      }
    />
  )
}
