import { deviceSetting } from '@campanile/contract/command'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../../kit/useAction.ts'
import { useConfirm } from '../../../kit/useConfirm.tsx'

/** Makes an older version the newest, after saying what that means. */
export const useRollBack = (id: number) => {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const rollBack = useAction(deviceSetting, 'rollBack')
  return {
    permitted: rollBack.permitted,
    to: async (version: number) => {
      const title = t('deviceSetting.detail.rollBackTo', { version })
      const text = t('deviceSetting.detail.rollBackHelp', { version })
      if (await confirm({ title, text, verb: t('deviceSetting.action.rollBack') })) await rollBack.run({ id, version })
    },
  }
}
