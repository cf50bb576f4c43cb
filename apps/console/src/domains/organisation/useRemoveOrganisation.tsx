import { userType } from '@campanile/contract/identity'
import { organisation, organisationDetail } from '@campanile/contract/organisation'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { calls } from '../../kit/index.ts'
import { usePermitted, useRun } from '../../kit/useAction.ts'
import { useConfirm } from '../../kit/useConfirm.tsx'
import { dialogs } from '../../shell/dialogs.tsx'
import { showError } from '../../shell/feedback.ts'
import { useSession } from '../../shell/session/session.ts'
import { forgetTree } from './useOrganisationNode.ts'

interface Named {
  id: number
  name: string
}
const holdings = ['children', 'administrators', 'devices', 'persons'] as const

/** Where the rows are that stand in the way; what has no list in this version has no link. */
const listOf: Partial<Record<(typeof holdings)[number], (id: number) => string>> = {
  children: (id) => `/org/list?parentId=${id}`,
  administrators: (id) => `/system/user?departmentId=${id}`,
}

/** Deletes an empty organisation; of one that holds something it says what (behaviour: organisations.empty-first). */
export const useRemoveOrganisation = (onDone?: () => unknown) => {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const confirm = useConfirm()
  const granted = usePermitted(organisation.perms.remove)
  const isSuper = useSession(({ session }) => session?.user.type === userType.super)
  const { run } = useRun(organisation, async () => {
    await forgetTree(queries)
    await onDone?.()
  })

  const explain = async ({ id, name }: Named, counts: Record<(typeof holdings)[number], number>) => {
    const dialog = (await dialogs()).warning({
      title: t('organisation.remove.blockedTitle', { name }),
      okText: t('organisation.remove.close'),
      content: (
        <>
          <p>{t('organisation.remove.blockedText')}</p>
          <ul className="holdings">
            {holdings
              .filter((what) => counts[what] > 0)
              .map((what) => {
                const words = t(`organisation.remove.${what}`, { count: counts[what] })
                const to = listOf[what]?.(id)
                return (
                  <li key={what}>
                    {to === undefined ? (
                      words
                    ) : (
                      <Link to={to} onClick={() => dialog.destroy()}>
                        {words}
                      </Link>
                    )}
                  </li>
                )
              })}
          </ul>
        </>
      ),
    })
  }

  const remove = async (row: Named) => {
    try {
      const { counts: all } = await calls.call(organisationDetail, { id: row.id })
      // Administrators are people too, and are named before. What somebody may not list is left to the server to refuse.
      const counts = { ...all, devices: all.devices ?? 0, persons: (all.persons ?? 0) - all.administrators }
      if (holdings.some((what) => counts[what] > 0)) return await explain(row, counts)
    } catch (error) {
      return showError(error)
    }
    const agreed = await confirm({
      title: t('organisation.remove.title', { name: row.name }),
      text: t('organisation.remove.text'),
      verb: t('organisation.remove.verb'),
      danger: true,
    })
    if (agreed)
      await run({
        call: () => calls.remove(organisation, [row.id]),
        done: t('organisation.remove.done', { name: row.name }),
      })
  }
  return { permitted: granted && isSuper, remove }
}
