import { release, releaseDevice } from '@campanile/contract/release'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { calls } from '../../../kit/index.ts'
import { useAction } from '../../../kit/useAction.ts'
import { useConfirm } from '../../../kit/useConfirm.tsx'
import { showError, toast } from '../../../shell/feedback.ts'
import type { Detail } from './story.ts'

const gatherSize = 199

/** What people do with a release that is under way; what cannot be undone asks first. */
export const useReleaseActions = (onDone: () => unknown) => {
  const { t, i18n } = useTranslation()
  const confirm = useConfirm()
  const navigate = useNavigate()
  const options = { onDone }
  const pause = useAction(release, 'pause', options)
  const resume = useAction(release, 'resume', options)
  const stop = useAction(release, 'stop', options)
  const skipWave = useAction(release, 'skipWave', options)
  const retryFailed = useAction(release, 'retryFailed', options)
  const retryDevices = useAction(release, 'retryDevices', options)
  const cancelDevices = useAction(release, 'cancelDevices', options)
  const rollBack = useAction(release, 'rollBack', options)
  const number = new Intl.NumberFormat(i18n.language)
  const ask = (action: string, name: string, text: string, danger: boolean) => {
    const verb = t(`release.action.${action}`)
    return confirm({
      title: t('kit.confirmNamed', { action: verb, name }),
      text,
      verb,
      otherwise: t('releaseDetail.keepGoing'),
      danger,
    })
  }
  return {
    pause,
    resume,
    retryFailed,
    retryDevices,
    cancelDevices,
    stop: {
      ...stop,
      ask: async (row: Detail['row']) => {
        const count = row.published + row.pendingRetry
        const text = t('releaseDetail.stopHelp', { count, shown: number.format(count) })
        if (await ask('stop', row.number, text, true)) await stop.run({ id: row.id })
      },
    },
    skipWave: {
      ...skipWave,
      ask: async (row: Detail['row']) => {
        if (await ask('skipWave', row.number, t('releaseDetail.skipHelp'), false)) await skipWave.run({ id: row.id })
      },
    },
    rollBack: {
      ...rollBack,
      /** Leads to the release that undoes it. */
      ask: async (row: Detail['row']) => {
        if (!(await ask('rollBack', row.number, t('releaseDetail.rollBackHelp'), true))) return
        try {
          const answer = (await calls.action(release, 'rollBack', { id: row.id })) as unknown as { id: number }
          toast.success(t('release.done.rollBack'))
          await onDone()
          void navigate(`/release/detail/${answer.id}`)
        } catch (error) {
          showError(error)
        }
      },
    },
    /** Every device that failed for one reason, however many. */
    retryReason: async (id: number, reason: string) => {
      try {
        const sns: string[] = []
        for (let page = 1; ; page += 1) {
          const { rows } = await calls.list(releaseDevice, {
            releaseId: id,
            state: ['failed'],
            reason: `"${reason}"`,
            page,
            pageSize: gatherSize,
          })
          sns.push(...rows.map(({ sn }) => sn))
          if (rows.length < gatherSize) break
        }
        if (sns.length > 0) await retryDevices.run({ id, sns })
      } catch (error) {
        showError(error)
      }
    },
  }
}
export type ReleaseActions = ReturnType<typeof useReleaseActions>
