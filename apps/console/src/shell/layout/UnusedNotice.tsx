import type { Module } from '@campanile/contract/kit'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../api.ts'
import { showError, toast } from '../feedback.ts'
import { loadNavigation, useNavigationMenu } from '../navigation/navigation.ts'
import { usePermission } from '../permissions.ts'
import { useSession } from '../session/session.ts'

/** Lets whoever may say that the organisation uses it after all. */
export function UnusedNotice({ module }: { module: Module }) {
  const { t } = useTranslation()
  const user = useSession((state) => state.session?.user)
  const unused = useNavigationMenu((navigation) => navigation.unused)
  const mayUse = usePermission('org:list:edit')
  const [busy, setBusy] = useState(false)
  if (user === undefined) return null
  const here = user.operating ?? user
  const words = { organisation: here.departmentName, module: t(`module.name.${module}`) }

  /** From now on the organisation says itself what it uses: all that it used, and this. */
  const use = async () => {
    setBusy(true)
    try {
      const unusedModules = unused.map((each) => each.module).filter((each) => each !== module)
      const body = { id: here.departmentId, ownModules: true, unusedModules }
      await api.call('PUT', '/api/v1/oauth/depts/update', { body })
      await loadNavigation()
      toast.success(t('module.done', words))
    } catch (error) {
      showError(error)
      setBusy(false)
    }
  }
  return (
    <p className="page-notice" role="status">
      {t('module.notice', words)}
      {mayUse && (
        <button type="button" disabled={busy} onClick={() => void use()}>
          {t('module.use')}
        </button>
      )}
    </p>
  )
}
