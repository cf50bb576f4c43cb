import { useTranslation } from 'react-i18next'
import { OrganisationTypeIcon } from '../../shell/organisations/OrganisationTypeIcon.tsx'

/** A type as people tell it apart: a drawing and the word. */
export function OrganisationType({ type }: { type: number }) {
  const { t } = useTranslation()
  return (
    <span className="organisation-type-word">
      <OrganisationTypeIcon type={type} />
      {t(`organisation.option.type.${type}`)}
    </span>
  )
}
