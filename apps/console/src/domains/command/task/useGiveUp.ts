import type { brokerTask, deviceTask } from '@campanile/contract/command'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../../kit/useAction.ts'
import { useConfirm } from '../../../kit/useConfirm.tsx'

/** Asks first, because the device may still do what is no longer waited for. */
export const useGiveUp = (resource: typeof deviceTask | typeof brokerTask, onDone?: () => unknown) => {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const { permitted, running, run } = useAction(resource, 'giveUp', onDone ? { onDone } : {})
  const ask = async (name: string, input: { id: number; sns?: string[] }) => {
    const verb = t('deviceTask.action.giveUp')
    const title = t('kit.confirmNamed', { action: verb, name })
    if (
      await confirm({
        title,
        text: t('deviceTask.giveUpHelp'),
        verb,
        otherwise: t('deviceTask.keepWaiting'),
        danger: true,
      })
    )
      await run(input)
  }
  return { permitted, running, ask }
}
