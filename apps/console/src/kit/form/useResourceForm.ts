import { isApiError } from '@campanile/client'
import type { Draft, Patch, Resource } from '@campanile/contract/kit'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { describeError } from '../../shell/errorText.ts'
import { showError, toast } from '../../shell/feedback.ts'
import { useRuntime } from '../../shell/runtime.ts'
import { useDirtyGuard, useKeptInput } from '../../shell/tabs/index.ts'
import { calls } from '../calls.ts'
import { encryptSecret } from '../encrypt.ts'
import { listKey } from '../list/useResourceList.ts'
import { type AnyRow, useReader } from '../reader.ts'
import { canEncrypt } from '../seal.ts'
import {
  changedFields,
  checkAll,
  checkField,
  type FieldError,
  type FieldErrors,
  fieldOfError,
  fieldsOf,
  hasSecrets,
  initialValues,
  isLocked,
  isShown,
  payload,
  type Values,
  withKnown,
  withoutSecrets,
} from './formValues.ts'
import { actionFormOf, type KeptForm } from './keptForm.ts'
import { keepsPolicy } from './secretPolicy.ts'

export interface FormOptions {
  row?: AnyRow | undefined
  /** What a new row starts with beside the declaration's own values. */
  given?: Values | undefined
  /** What is done with what was entered, where that is no row to be saved: an action. */
  send?: (body: Record<string, unknown>) => Promise<unknown>
  onSaved: (id: number) => unknown
  /** What an action is about; a row's form is about its row. */
  about?: object
}

const without = (errors: FieldErrors, name: string): FieldErrors =>
  Object.fromEntries(Object.entries(errors).filter(([each]) => each !== name))

/** Values, errors and saving of one row. Rules come from the contract; errors show on leaving a field and on submit. */
export const useResourceForm = (resource: Resource, { row, given, send, onSaved, about }: FormOptions) => {
  const reader = useReader(resource)
  const { t } = reader
  const queries = useQueryClient()
  const profile = useRuntime((runtime) => runtime.passwordProfile)
  const editing = row !== undefined
  const [start] = useState(() => initialValues(resource, row, given))
  const as = about ? actionFormOf(resource) : resource.name
  const kept = useKeptInput<KeptForm>(as)
  const [values, setValues] = useState(() =>
    kept !== undefined && kept.about?.id === row?.id ? withKnown(start, kept.values) : start,
  )
  const [repeats, setRepeats] = useState<Readonly<Record<string, string>>>({})
  const [errors, setErrors] = useState<FieldErrors>({})
  const [saving, setSaving] = useState(false)
  const touched = useRef(new Set<string>())
  // A secret and its repetition may be set in one breath; each must be judged with what the other has become.
  const latest = useRef({ values, repeats })
  const dirty = changedFields(resource, start, values).length > 0
  const settle = useDirtyGuard(dirty, {
    as,
    input: { about: about ?? row ?? null, values: withoutSecrets(resource, values) } satisfies KeptForm<object>,
    partly: hasSecrets(resource, values),
  })

  const secretError = (name: string, next: Values, again: Readonly<Record<string, string>>): FieldError | undefined => {
    const secret = String(next[name] ?? '')
    if (resource.fields[name]?.kind !== 'secret' || secret === '') return undefined
    if (!canEncrypt()) return { key: 'kit.secret.noEncryption' }
    if (!keepsPolicy(profile, secret)) return { key: 'kit.secret.weak' }
    return secret === (again[name] ?? '') ? undefined : { key: 'kit.secret.differ' }
  }
  const check = (name: string, next: Values, again = repeats) =>
    checkField(resource, name, next, editing) ?? secretError(name, next, again)

  const mark = (name: string, error: FieldError | undefined) =>
    setErrors((before) => (error ? { ...before, [name]: error } : without(before, name)))

  const set = (name: string, value: unknown) => {
    const next = { ...latest.current.values, [name]: value }
    latest.current.values = next
    touched.current.add(name)
    setValues(next)
    // A shown error follows every key, so that it goes the moment the value is right.
    if (errors[name]) mark(name, check(name, next, latest.current.repeats))
  }

  const save = async () => {
    const id = row?.id
    const body = payload(resource, start, values, id)
    for (const name of Object.keys(body))
      if (resource.fields[name]?.kind === 'secret') body[name] = await encryptSecret(String(body[name]))
    if (send) {
      await send(body)
      return 0
    }
    if (id === undefined) return (await calls.create(resource, body as Draft<Resource>))?.id ?? 0
    await calls.update(resource, { id, ...body } as Patch<Resource>)
    return id
  }

  /** Answers the first field that is wrong, so that the drawer can lead there. */
  const submit = async (): Promise<string | undefined> => {
    if (saving) return undefined
    const found: Record<string, FieldError> = { ...checkAll(resource, values, editing ? start : undefined) }
    for (const name of fieldsOf(resource)) {
      const error = found[name] ?? secretError(name, values, repeats)
      if (error) found[name] = error
    }
    setErrors(found)
    const first = fieldsOf(resource).find((name) => found[name])
    if (first !== undefined) return first
    if (editing && !dirty) {
      await onSaved(row.id)
      return undefined
    }
    setSaving(true)
    try {
      const id = await save()
      if (!send)
        toast.success(
          t(`kit.form.${editing ? 'updated' : 'created'}`, { name: reader.identity({ ...row, ...values, id }) }),
        )
      settle()
      await queries.invalidateQueries({ queryKey: listKey(resource) })
      await onSaved(id)
    } catch (error) {
      const name = isApiError(error) ? fieldOfError(resource, error) : undefined
      if (name === undefined) showError(error)
      else mark(name, { text: `${describeError(error).text}${isApiError(error) ? ` (${error.code})` : ''}` })
      return name
    } finally {
      setSaving(false)
    }
    return undefined
  }

  return {
    resource,
    row,
    editing,
    values,
    errors,
    dirty,
    saving,
    set,
    repeats,
    setRepeat: (name: string, text: string) => {
      const next = { ...latest.current.repeats, [name]: text }
      latest.current.repeats = next
      setRepeats(next)
      if (errors[name]) mark(name, check(name, latest.current.values, next))
    },
    /** Untouched fields are not blamed for being left. */
    leave: (name: string) => {
      // A secret is judged when its repetition has been typed or on submit.
      const half = resource.fields[name]?.kind === 'secret' && !repeats[name]
      const known = errors[name]
      // What the server refused stays refused until the value changes.
      const refused = known !== undefined && 'text' in known
      if (touched.current.has(name) && !half && !refused) mark(name, check(name, values))
    },
    isShown: (name: string) => isShown(resource, name, values),
    isLocked: (name: string) => isLocked(resource, name, editing),
    submit,
  }
}
export type ResourceForm = ReturnType<typeof useResourceForm>
