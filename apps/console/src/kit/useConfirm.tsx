import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { dialogs } from '../shell/dialogs.tsx'
import { wayOut } from './wayOut.ts'

interface Question {
  title: string
  text?: ReactNode
  /** The verb of the title, on the button. */
  verb: string
  /** What the other button says where “Cancel” could be read as the verb. */
  otherwise?: string
  danger?: boolean
}

/** Asks before something is destroyed or interrupted. Where something would be destroyed, the focus starts on Cancel. */
export const useConfirm = () => {
  const { t } = useTranslation()
  return async ({ title, text, verb, otherwise, danger = false }: Question): Promise<boolean> =>
    (await dialogs()).confirm({
      title,
      content: text,
      okText: verb,
      cancelText: otherwise ?? wayOut(verb, { cancel: t('kit.cancel'), keep: t('kit.keep') }),
      okButtonProps: { danger },
      focusable: { autoFocusButton: danger ? 'cancel' : 'ok' },
    })
}

/** Which rows a bulk call left alone, and why. */
export const useSkippedReport = () => {
  const { t, i18n } = useTranslation()
  return async (skipped: readonly { id: number; name: string; code: number }[], done: number): Promise<void> =>
    void (await dialogs()).warning({
      title: t('kit.skipped.title', { count: skipped.length, done }),
      okText: t('kit.close'),
      width: 560,
      content: (
        <ul className="skipped">
          {skipped.map(({ id, name, code }) => (
            <li key={id}>
              <strong>{name}</strong>
              <span>
                {i18n.exists(`error.${code}`) ? t(`error.${code}`) : t('kit.skipped.noText')} ({code})
              </span>
            </li>
          ))}
        </ul>
      ),
    })
}
