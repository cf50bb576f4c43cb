import { isApiError } from '@campanile/client'
import { type CommandName, commandSpec } from '@campanile/contract/command'
import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useRef } from 'react'
import { type FieldError, hasSecrets, type Values, withoutSecrets } from '../../../kit/form/formValues.ts'
import type { InputProps } from '../../../kit/inputs/input-props.ts'
import { EnteredFields } from '../order/EnteredFields.tsx'
import { useCommandForm, useEntered } from '../order/useEntered.ts'
import { AppChoice } from './AppChoice.tsx'
import type { Draft, DraftHandle } from './draft.ts'
import type { Facts } from './useTargets.ts'

interface Props {
  ref: Ref<DraftHandle>
  command: CommandName
  given: Readonly<Record<string, unknown>> | undefined
  /** Entered before the page was loaded anew. */
  typed: Values | undefined
  facts: Facts | undefined
  onDraft: (draft: Draft) => void
}

/** `args.on` blames the argument `on`. */
const blamedArgument = (failure: unknown): string | undefined => {
  const [part, name] = isApiError(failure) ? (failure.field ?? '').split('.') : []
  return part === 'args' ? name : undefined
}

/** Kept as its code, and said in the language of the moment. */
const blameOf = (failure: unknown): FieldError | undefined =>
  isApiError(failure)
    ? { key: `error.${failure.code}`, values: (failure.data ?? {}) as Record<string, unknown> }
    : undefined

/** What a command asks for, as the contract declares it; apps are chosen from those the devices have. */
export function Arguments({ ref, command, given, typed, facts, onDraft }: Props) {
  const asked = useCommandForm(command)
  const form = useEntered(asked, given, typed)
  const blamed = useRef<string>(undefined)
  const args = form.peek()
  const text = JSON.stringify([form.values, args, form.touched])
  const tell = useEffectEvent((_: string) =>
    onDraft({
      command,
      args,
      touched: form.touched,
      typed: withoutSecrets(asked, form.values),
      partly: hasSecrets(asked, form.values),
    }),
  )
  // Its text stands for what was entered, which is another object each time.
  useEffect(() => tell(text), [text])
  useImperativeHandle(ref, () => ({
    read: () => {
      const read = form.read()
      return 'wrong' in read ? read : { command, args: read.args }
    },
    blame: (failure) => {
      const name = blamedArgument(failure)
      if (blamed.current !== undefined && blamed.current !== name) form.mark(blamed.current, undefined)
      blamed.current = name
      if (name === undefined) return undefined
      form.mark(name, blameOf(failure))
      return form.fieldOf(name)
    },
  }))
  if (form.names.length === 0) return null
  const apps = commandSpec(command)?.apps ?? []
  const own = Object.fromEntries(
    apps.map((name) => [name, (props: InputProps) => <AppChoice key={name} {...props} facts={facts} />]),
  )
  return (
    <div className="composer-args">
      <EnteredFields form={form} own={own} />
    </div>
  )
}
