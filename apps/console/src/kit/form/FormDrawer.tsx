import type { Resource } from '@campanile/contract/kit'
import { type ReactNode, useId } from 'react'
import { askToLeave } from '../../shell/tabs/index.ts'
import type { InputProps } from '../inputs/input-props.ts'
import { inputs } from '../inputs/inputs.tsx'
import { type AnyRow, type Reader, useReader } from '../reader.ts'
import { DrawerForm } from './DrawerForm.tsx'
import type { FieldError, Values } from './formValues.ts'
import { fieldsOf, isWriteOnly } from './formValues.ts'
import { Labelled } from './Labelled.tsx'
import { type ResourceForm, useResourceForm } from './useResourceForm.ts'
import '../kit.css'

export type OwnInputs = Readonly<Record<string, ((props: InputProps) => ReactNode) | undefined>>

interface Props {
  resource: Resource
  row?: AnyRow | undefined
  given?: Values | undefined
  inputs?: OwnInputs | undefined
  /** For a few fields that need the room of many. */
  wide?: boolean
  onClose: () => void
  onSaved?: (id: number) => unknown
}

/** Long forms get the wide drawer. */
const manyFields = 12

/** A row's form as the declaration groups it. Every way out asks while something is unsaved. */
export function FormDrawer({ resource, row, given, inputs: own, wide = false, onClose, onSaved }: Props) {
  const reader = useReader(resource)
  const { t } = reader
  const base = useId()
  const form = useResourceForm(resource, {
    row,
    given,
    onSaved: async (id) => {
      await onSaved?.(id)
      onClose()
    },
  })
  const title = reader.action(row ? 'update' : 'create')
  const idOf = (name: string) => `${base}-${name}`

  const close = async () => {
    if (!form.saving && (!form.dirty || (await askToLeave([title])))) onClose()
  }
  const submit = async () => {
    const wrong = await form.submit()
    if (wrong !== undefined) setTimeout(() => focusFirst(document.getElementById(`${idOf(wrong)}-field`)))
  }
  return (
    <DrawerForm
      title={title}
      submit={row ? t('kit.form.save') : title}
      size={wide || fieldsOf(resource).length > manyFields ? 720 : 480}
      busy={form.saving}
      onSubmit={submit}
      onClose={close}
    >
      {Object.entries(resource.form).map(([group, names]) => {
        const shown = names.filter(form.isShown)
        if (shown.length === 0) return null
        return (
          <fieldset key={group}>
            {Object.keys(resource.form).length > 1 && <legend>{reader.group(group)}</legend>}
            {shown.map((name) => (
              <FormField key={name} id={idOf(name)} name={name} form={form} own={own?.[name]} />
            ))}
          </fieldset>
        )
      })}
    </DrawerForm>
  )
}

/** Groups of boxes and pickers are focused at the first thing in them that takes it. */
const focusFirst = (field: HTMLElement | null) =>
  field?.querySelector<HTMLElement>('input:not([type=hidden]), textarea, button, [tabindex]')?.focus()

/** What a field has to know of the form it stands in. */
export type FieldState = Pick<
  ResourceForm,
  | 'resource'
  | 'row'
  | 'editing'
  | 'values'
  | 'errors'
  | 'saving'
  | 'set'
  | 'leave'
  | 'isLocked'
  | 'repeats'
  | 'setRepeat'
>

interface FieldProps {
  id: string
  name: string
  form: FieldState
  own?: ((props: InputProps) => ReactNode) | undefined
}

export function FormField({ id, name, form, own }: FieldProps) {
  const reader = useReader(form.resource)
  const field = form.resource.fields[name]
  if (!field) return null
  const input = own ?? inputs[field.kind]
  const locked = form.isLocked(name)
  const error = form.errors[name]
  const unchangedSecret = form.editing && isWriteOnly(field)
  return (
    <Labelled
      id={id}
      label={reader.field(name)}
      kind={field.kind}
      error={error && errorText(error, reader.t)}
      help={locked ? reader.locked(name) : reader.help(name)}
      required={field.required && !unchangedSecret && field.kind !== 'switch'}
    >
      {(state) =>
        input({
          id,
          name,
          field,
          resource: form.resource,
          reader,
          value: form.values[name],
          values: form.values,
          onChange: (value) => form.set(name, value),
          onBlur: () => form.leave(name),
          invalid: state['aria-invalid'],
          disabled: locked || form.saving,
          describedBy: state['aria-describedby'],
          row: form.row,
          repeat: form.repeats[name] ?? '',
          onRepeat: (text) => form.setRepeat(name, text),
        })
      }
    </Labelled>
  )
}

const errorText = (error: FieldError, t: Reader['t']) => ('text' in error ? error.text : t(error.key, error.values))
