import { useTranslation } from 'react-i18next'
import { Icon, type IconName } from '../icons.tsx'

/** By type code: sub-department, enterprise, school, SI, section, grade, class, administrative, graduating class. */
const icons: readonly IconName[] = [
  'users',
  'wallet',
  'school',
  'organisation',
  'template',
  'menu',
  'user',
  'user',
  'licence',
]

export function OrganisationTypeIcon({ type }: { type: number }) {
  const { t } = useTranslation()
  return (
    <span className="organisation-type" title={t(`shell.organisation.type.${type}`)}>
      <Icon name={icons[type] ?? 'dot'} size={14} />
    </span>
  )
}
