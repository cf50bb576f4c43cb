import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { useSession } from '../session/session.ts'
import { findOrganisations, type Organisation } from './organisation.ts'
import { useSwitchOrganisation } from './useSwitchOrganisation.ts'

interface Props {
  /** What is looked for: a serial number, a name. */
  what: string
  /** The department of the row, asked for as oneself: whoever may not enter it is not told that there is one. */
  find: () => Promise<{ id: number; name: string }>
  /** What is shown when it is nowhere. */
  children: ReactNode
}

/** A link led to a row of an organisation this window is not at: it says where the row is and offers to go there. */
export function Elsewhere({ what, find, children }: Props) {
  const { t } = useTranslation()
  const { pathname, search } = useLocation()
  const { operateOn } = useSwitchOrganisation()
  // At one's own organisation there is nothing more to be found as oneself.
  const isAway = useSession(({ session }) => session?.originToken !== undefined)
  const { data, isLoading } = useQuery({
    queryKey: ['elsewhere', pathname],
    queryFn: async (): Promise<Organisation | null> => {
      const department = await find()
      const found = await findOrganisations(department.name)
      return found.find(({ id }) => id === department.id) ?? null
    },
    enabled: isAway,
    retry: false,
  })
  if (isLoading) return null
  if (data == null) return children
  return (
    <div className="list-state card" role="status">
      <strong>{t('shell.organisation.elsewhere.title', { what, name: data.name })}</strong>
      <p>{data.path.map(({ name }) => name).join(' / ')}</p>
      <Button type="primary" onClick={() => operateOn(data, pathname + search)}>
        {t('shell.organisation.elsewhere.switch', { name: data.name })}
      </Button>
    </div>
  )
}
