import type { brokerTask, deviceTask } from '@campanile/contract/command'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../../kit/useAction.ts'
import { useConfirm } from '../../../kit/useConfirm.tsx'

/** Asks first; the button that changes nothing says what goes on instead. */
export const useCancel = (resource: typeof deviceTask | typeof brokerTask, onDone?: () => unknown) => {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const { permitted, running, run } = useAction(resource, 'cancel', onDone ? { onDone } : {})
  const ask = async (name: string, { id, progress }: { id: number; progress: string }) => {
    const verb = t('deviceTask.action.cancel')
    const planned = progress === 'planned'
    const sure = await confirm({
      title: t('kit.confirmNamed', { action: verb, name }),
      text: t(planned ? 'deviceTask.cancelPlanHelp' : 'deviceTask.cancelHelp'),
      verb,
      otherwise: t(planned ? 'deviceTask.leavePlanned' : 'deviceTask.leaveRunning'),
      danger: true,
    })
    if (sure) await run({ id })
  }
  return { permitted, running, ask }
}
