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

/** What keeps a device from saying anything. What is put right by activating it `ask`s those who may not do that. */
const standingOf = (status: number, never: boolean): { title: string; text: string; ask?: string } | undefined => {
  const toActivate = (word: string) => ({
    title: `deviceDetail.standing.${word}`,
    text: `deviceDetail.standing.${word}Text`,
    ask: `deviceDetail.standing.${word}Ask`,
  })
  if (status === unbinding)
    return { title: 'deviceDetail.standing.unbinding', text: 'deviceDetail.standing.unbindingText' }
  if (status === notActivated) return toActivate('notActivated')
  if (status === unbound) return toActivate('unbound')
  return never ? { title: 'deviceDetail.neverConnected', text: 'deviceDetail.neverText' } : undefined
}

/** Why nothing can come from a device: it has not been activated, is bound to nobody, or has never come. And what to do next. */
export function Standing({ detail: { row, lastConnected }, near, onActivate }: Props) {
  const { t } = useTranslation()
  const mayMakeCodes = usePermission(createCodes.perm)
  const standing = standingOf(row.activationStatus, lastConnected === null)
  if (!standing) return null
  const { title, text, ask } = standing
  return (
    <Alert
      type="info"
      showIcon
      role="status"
      title={t(title)}
      description={t(ask && !mayMakeCodes ? ask : text, { organisation: row.departmentName })}
      action={
        ask &&
        mayMakeCodes && (
          <Button {...near} type="primary" onClick={onActivate}>
            {t('deviceDetail.activate.button')}
          </Button>
        )
      }
    />
  )
}
