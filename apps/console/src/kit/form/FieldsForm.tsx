import type { ReactNode } from 'react'
import { keepEnterInPicker } from './enterInPicker.ts'

/** The form around fields of `useFields`. Rules and words are ours, never the browser's. */
export function FieldsForm({ onSubmit, children }: { onSubmit: () => unknown; children: ReactNode }) {
  return (
    <form
      className="kit-form"
      noValidate
      onKeyDown={keepEnterInPicker}
      onSubmit={(event) => {
        event.preventDefault()
        void onSubmit()
      }}
    >
      {children}
    </form>
  )
}
