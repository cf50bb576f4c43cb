import { isApiError } from '@campanile/client'
import { type CreatedCodes, createCodes, importCodes } from '@campanile/contract/activation'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFields } from '../../kit/form/useFields.ts'
import { calls } from '../../kit/index.ts'

export interface LineFault {
  line: number
  sn: string
  code: number
}
export type Way = 'lines' | 'file'

const daysMax = 3650

/** Every line the server refused: nothing was stored, so that all of them can be put right at once. */
const faultsOf = (error: unknown): LineFault[] => {
  const data = isApiError(error) ? error.data : undefined
  const lines = typeof data === 'object' && data !== null && 'lines' in data ? data.lines : undefined
  return Array.isArray(lines) ? (lines as LineFault[]) : []
}

/** Making codes by lines or from a sheet, with what is wrong of each line. */
export const useCreateCodes = (way: Way, onCreated: () => unknown, start = '') => {
  const { t } = useTranslation()
  const [faults, setFaults] = useState<LineFault[]>([])
  const [made, setMade] = useState<CreatedCodes>()
  const form = useFields(
    {
      codes: start,
      file: undefined as File | undefined,
      departmentId: null as number | null,
      deviceType: null as number | null,
      validDays: null as number | null,
    },
    {
      check: ({ codes, file, validDays }) => ({
        ...(way === 'lines' && codes.trim() === '' ? { codes: t('activationCode.create.noLines') } : {}),
        ...(way === 'file' && !file ? { file: t('kit.import.chooseFirst') } : {}),
        ...(validDays !== null && (validDays < 1 || validDays > daysMax)
          ? { validDays: t('kit.error.range', { min: 1, max: daysMax }) }
          : {}),
      }),
      serverNames: way === 'file' ? { codes: 'file' } : {},
    },
  )
  const submit = () =>
    form.submit(async ({ codes, file, departmentId, deviceType, validDays }) => {
      setFaults([])
      const common = {
        ...(departmentId !== null && { departmentId }),
        ...(deviceType !== null && { deviceType }),
        ...(validDays !== null && { validDays }),
      }
      try {
        setMade(
          await (way === 'file' && file
            ? calls.upload(importCodes, file, common)
            : calls.call(createCodes, { codes, ...common })),
        )
        await onCreated()
      } catch (error) {
        setFaults(faultsOf(error))
        throw error
      }
    })
  return { form, faults, made, submit }
}
