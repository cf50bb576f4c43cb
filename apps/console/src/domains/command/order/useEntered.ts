import { type CommandName, commandForm } from '@campanile/contract/command'
import type { Resource } from '@campanile/contract/kit'
import { useId, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FieldState } from '../../../kit/form/FormDrawer.tsx'
import {
  checkField,
  type FieldError,
  type FieldErrors,
  initialValues,
  isShown,
  payload,
  type Values,
  withKnown,
} from '../../../kit/form/formValues.ts'

export interface Entered extends FieldState {
  readonly names: readonly string[]
  readonly fieldOf: (name: string) => string
  readonly mark: (name: string, error: FieldError | undefined) => void
  /** The values as they are sent, or the id of the first field that is wrong. */
  readonly read: () => { args: Record<string, unknown> } | { wrong: string }
  /** The same without a word to anybody: nothing while something is missing or wrong. */
  readonly peek: () => Record<string, unknown> | undefined
  readonly touched: boolean
}

export const useCommandForm = (command: CommandName) => useMemo(() => commandForm(command), [command])

/**
 * What is sent along while it is entered: arguments of a command, settings. Rules and fields are the contract's. `typed` was
 * entered before the page was loaded anew.
 */
export const useEntered = (resource: Resource, given: Values = {}, typed: Values = {}): Entered => {
  const { i18n } = useTranslation()
  const base = useId()
  const fieldOf = (name: string) => `${base}-${name}`
  const [values, setValues] = useState(() => withKnown(initialValues(resource, undefined, given), typed))
  const [errors, setErrors] = useState<FieldErrors>({})
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set(Object.keys(typed)))
  const names = Object.keys(resource.fields).filter((name) => isShown(resource, name, values))

  const check = (name: string, next: Values): FieldError | undefined => {
    const error = checkField(resource, name, next, false)
    const own = `${resource.name}.rule.${name}`
    // The rule of an argument says more than that of its kind.
    return error && 'key' in error && error.key.startsWith('kit.error.format') && i18n.exists(own)
      ? { key: own }
      : error
  }
  const mark = (name: string, error: FieldError | undefined) =>
    setErrors(({ [name]: _, ...rest }) => (error ? { ...rest, [name]: error } : rest))

  return {
    resource,
    row: undefined,
    editing: false,
    values,
    errors,
    saving: false,
    names,
    repeats: {},
    setRepeat: () => undefined,
    isLocked: () => false,
    set: (name, value) => {
      const next = { ...values, [name]: value }
      setValues(next)
      setTouched((before) => new Set([...before, name]))
      if (errors[name]) mark(name, check(name, next))
    },
    leave: (name) => {
      if (touched.has(name)) mark(name, check(name, values))
    },
    fieldOf,
    mark,
    touched: touched.size > 0,
    peek: () => (names.some((name) => check(name, values)) ? undefined : payload(resource, {}, values)),
    read: () => {
      const found = Object.fromEntries(
        names.flatMap((name) => {
          const error = check(name, values)
          return error ? [[name, error] as const] : []
        }),
      )
      setErrors(found)
      const wrong = names.find((name) => found[name])
      return wrong === undefined ? { args: payload(resource, {}, values) } : { wrong: fieldOf(wrong) }
    },
  }
}
