import { readConfig, writeConfig } from '@campanile/contract/system'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { calls } from '../../../kit/index.ts'
import { showError, toast } from '../../../shell/feedback.ts'
import { loadRuntime } from '../../../shell/runtime.ts'
import { useDirtyGuard, useKeptInput } from '../../../shell/tabs/index.ts'
import { configKey } from './configKey.ts'
import { changedNames, type Draft, draftOf, isSecret, patchOf, type SettingName, wrongNames } from './configValues.ts'

type Edits = Partial<Record<SettingName, unknown>>

/** The installation's settings as one form: what was read, what was changed, saving all of it at once. */
export const useConfig = () => {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { data, error, refetch } = useQuery({
    queryKey: configKey,
    queryFn: ({ signal }) => calls.call(readConfig, {}, { signal }),
  })
  const [edits, setEdits] = useState(useKeptInput<Edits>('config') ?? {})
  const [wrong, setWrong] = useState<ReadonlySet<SettingName>>(new Set())
  const [saving, setSaving] = useState(false)
  const [needsReload, setNeedsReload] = useState(false)

  const start = data && draftOf(data.values)
  const draft: Draft | undefined = start && { ...start, ...edits }
  const changed = start && draft ? changedNames(start, draft) : []
  useDirtyGuard(changed.length > 0, {
    as: 'config',
    input: Object.fromEntries(Object.entries(edits).filter(([name]) => !isSecret(name as SettingName))),
    partly: changed.some(isSecret),
  })

  const set = (name: SettingName, value: unknown) => {
    setEdits({ ...edits, [name]: value })
    // A shown error follows every key; a new one waits for saving.
    if (draft && wrong.has(name) && wrongNames({ ...draft, [name]: value }, [name]).length === 0)
      setWrong(new Set([...wrong].filter((each) => each !== name)))
  }

  /** Answers the first setting that is wrong, so that the screen can lead there. */
  const save = async (): Promise<SettingName | undefined> => {
    if (!draft || saving) return undefined
    const refused = wrongNames(draft, changed)
    setWrong(new Set(refused))
    if (refused.length > 0) return refused[0]
    setSaving(true)
    try {
      const answer = await calls.call(writeConfig, patchOf(draft, changed))
      await Promise.all([queries.invalidateQueries({ queryKey: configKey }), loadRuntime()])
      setEdits({})
      setNeedsReload(needsReload || answer.needsReload)
      toast.success(t('config.saved'))
    } catch (failure) {
      showError(failure)
    } finally {
      setSaving(false)
    }
    return undefined
  }

  return {
    read: data,
    draft,
    error,
    refetch,
    changed,
    wrong,
    saving,
    needsReload,
    set,
    save,
    discard: () => {
      setEdits({})
      setWrong(new Set())
    },
  }
}
