import { device } from '@campanile/contract/device'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { usePermitted } from '../../kit/index.ts'

/** The way to devices that nobody has given a licence to connect. */
export function Unlicensed() {
  const { t } = useTranslation()
  return usePermitted(device.perms.list) ? <Link to="/device/list?licence=none">{t('licence.without')}</Link> : null
}
