import { type CommandName, commandForm } from '@campanile/contract'
import { useMemo, useState } from 'react'
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
} from '../../../kit/form/formValues.ts'

export interface ArgsForm extends FieldState {
  readonly names: readonly string[]
  /** The arguments as they are sent, or the first field that is wrong. */
  readonly read: () => { args: Record<string, unknown> } | { wrong: string }
  readonly blame: (name: string, text: string) => void
}

/** The arguments of a command while they are entered; rules and fields are those of the contract. */
export const useArgsForm = (command: CommandName, given: Values = {}, sending = false): ArgsForm => {
  const { i18n } = useTranslation()
  const resource = useMemo(() => commandForm(command), [command])
  const [values, setValues] = useState(() => initialValues(resource, undefined, given))
  const [errors, setErrors] = useState<FieldErrors>({})
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const names = Object.keys(resource.fields).filter((name) => isShown(resource, name, values))

  const check = (name: string, next: Values): FieldError | undefined => {
    const error = checkField(resource, name, next, false)
    const own = `command.rule.${name}`
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
    saving: sending,
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
    blame: (name, text) => mark(name, { text }),
    read: () => {
      const found = Object.fromEntries(
        names.flatMap((name) => {
          const error = check(name, values)
          return error ? [[name, error] as const] : []
        }),
      )
      setErrors(found)
      const wrong = names.find((name) => found[name])
      return wrong === undefined ? { args: payload(resource, {}, values) } : { wrong }
    },
  }
}
