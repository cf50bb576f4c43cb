import type { ReactNode } from 'react'

/** The form around fields of `useFields`. Rules and words are ours, never the browser's. */
export function FieldsForm({ onSubmit, children }: { onSubmit: () => unknown; children: ReactNode }) {
  return (
    <form
      className="kit-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void onSubmit()
      }}
    >
      {children}
    </form>
  )
}
