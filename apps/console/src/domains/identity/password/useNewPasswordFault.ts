import { useTranslation } from 'react-i18next'
import { keepsPolicy, limitsOf } from '../../../kit/form/secretPolicy.ts'
import { canEncrypt } from '../../../kit/seal.ts'
import { useRuntime } from '../../../shell/runtime.ts'

/** What is wrong with a new password and its repetition, in the reader's words. */
export function useNewPasswordFault(): (password: string, repeat: string) => string | undefined {
  const { t } = useTranslation()
  const profile = useRuntime((runtime) => runtime.passwordProfile)
  return (password, repeat) => {
    if (password === '') return t('kit.error.required')
    if (!canEncrypt()) return t('kit.secret.noEncryption')
    if (!keepsPolicy(profile, password)) return t('error.21266', limitsOf(profile))
    return password === repeat ? undefined : t('error.21267')
  }
}
