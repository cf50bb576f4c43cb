import { type Action, fieldsForm, type Resource } from '@campanile/contract/kit'
import { useId, useMemo } from 'react'
import { toast } from '../../shell/feedback.ts'
import { askToLeave } from '../../shell/tabs/index.ts'
import { calls } from '../calls.ts'
import { useReader } from '../reader.ts'
import { DrawerForm } from './DrawerForm.tsx'
import { FormField, type OwnInputs } from './FormDrawer.tsx'
import { useResourceForm } from './useResourceForm.ts'

export interface ActionSubject {
  name: string
  action: Action
  /** `{ id }`, `{ ids }` or nothing, as the action works on. */
  rows: object
  count: number
}

interface Props extends ActionSubject {
  resource: Resource
  inputs?: OwnInputs | undefined
  onClose: () => void
  onDone: () => unknown
}

/** What an action asks for before it runs. */
export function ActionDrawer({ resource, name, action, rows, count, inputs, onClose, onDone }: Props) {
  const reader = useReader(resource)
  const base = useId()
  const asked = useMemo(() => fieldsForm(resource.name, action.fields ?? {}), [resource, action])
  const title = reader.action(name)
  const form = useResourceForm(asked, {
    about: { name, rows, count },
    send: async (body) => {
      await calls.action(resource, name, { ...rows, ...body } as never)
      toast.success(reader.t(`${resource.name}.done.${name}`, { count }))
    },
    onSaved: async () => {
      await onDone()
      onClose()
    },
  })
  const close = async () => {
    if (!form.saving && (!form.dirty || (await askToLeave([title])))) onClose()
  }
  return (
    <DrawerForm title={title} busy={form.saving} onSubmit={form.submit} onClose={close}>
      {Object.keys(asked.fields)
        .filter(form.isShown)
        .map((field) => (
          <FormField key={field} id={`${base}-${field}`} name={field} form={form} own={inputs?.[field]} />
        ))}
    </DrawerForm>
  )
}
