import { type UploadPurpose, uploadPurpose } from '@campanile/contract/file'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { sizeText } from '../size.ts'
import { faultOf } from './faults.ts'

const nothing: UploadPurpose = { perm: '', maxBytes: 0, maxFiles: 0, extensions: [] }

/** What may be chosen for a purpose, said before; what is refused is said with its limit, the others go on. */
export const useChoice = (purpose: string) => {
  const { t, i18n } = useTranslation()
  const [faults, setFaults] = useState<readonly string[]>([])
  const rule = uploadPurpose(purpose) ?? nothing
  const number = new Intl.NumberFormat(i18n.language)
  const limits = {
    size: sizeText(rule.maxBytes, { number: (value) => number.format(value) }),
    kinds: rule.extensions.join(t('kit.value.comma')),
    count: rule.maxFiles,
  }
  const judge = (files: readonly File[], most = rule.maxFiles): File[] => {
    const good = files.filter((file) => faultOf(rule, file) === undefined)
    setFaults([
      ...files.flatMap((file) => {
        const fault = faultOf(rule, file)
        return fault === undefined ? [] : [t(`upload.fault.${fault}`, { ...limits, name: file.name })]
      }),
      ...(good.length > most ? [t('upload.fault.tooMany', { ...limits, count: most })] : []),
    ])
    return good.slice(0, most)
  }
  return {
    rule,
    faults,
    judge,
    limits: t(rule.extensions.length > 0 ? 'upload.limitsKinds' : 'upload.limits', limits),
  }
}
