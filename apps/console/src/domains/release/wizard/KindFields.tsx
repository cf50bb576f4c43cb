import { givenForm, type ReleaseKind } from '@campanile/contract/release'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FormField } from '../../../kit/form/FormDrawer.tsx'
import { checkField, type FieldError, isShown, payload, type Values } from '../../../kit/form/formValues.ts'

const wrongOf = (kind: ReleaseKind, given: Values): Readonly<Record<string, FieldError>> => {
  const asked = givenForm(kind)
  return Object.fromEntries(
    Object.keys(asked.fields).flatMap((name) => {
      const error = checkField(asked, name, given, false)
      return error ? [[name, error]] : []
    }),
  )
}
export const isGivenWrong = (kind: ReleaseKind, given: Values): boolean => Object.keys(wrongOf(kind, given)).length > 0
/** As an order says it; nothing for a kind that asks for nothing. */
export const givenOf = (kind: ReleaseKind, given: Values): { given?: Record<string, unknown> } => {
  const asked = givenForm(kind)
  return Object.keys(asked.fields).length === 0 ? {} : { given: payload(asked, {}, given) }
}

interface Props {
  kind: ReleaseKind
  given: Values
  /** Whatever is wrong is said, left or not: somebody wants to send it. */
  wanted: boolean
  onChange: (given: Values) => void
}

/** What an order of this kind says of it alone, as the contract declares it. */
export function KindFields({ kind, given, wanted, onChange }: Props) {
  const { i18n } = useTranslation()
  const base = useId()
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const asked = givenForm(kind)
  const errors = Object.fromEntries(
    Object.entries(wrongOf(kind, given))
      .filter(([name]) => wanted || left.has(name))
      .map(([name, error]): [string, FieldError] => {
        const own = `${asked.name}.rule.${name}`
        // The rule of a field says more than that of its kind.
        return [
          name,
          'key' in error && error.key.startsWith('kit.error.format') && i18n.exists(own) ? { key: own } : error,
        ]
      }),
  )
  const form = {
    resource: asked,
    row: undefined,
    editing: false,
    values: given,
    errors,
    saving: false,
    set: (name: string, value: unknown) => onChange({ ...given, [name]: value }),
    leave: (name: string) => setLeft((before) => new Set([...before, name])),
    isLocked: () => false,
    repeats: {},
    setRepeat: () => undefined,
  }
  return Object.keys(asked.fields)
    .filter((name) => isShown(asked, name, given))
    .map((name) => <FormField key={name} id={`${base}-${name}`} name={name} form={form} />)
}
