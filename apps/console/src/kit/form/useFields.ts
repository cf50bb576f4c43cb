import { isApiError } from '@campanile/client'
import { useId, useState } from 'react'
import { describeError } from '../../shell/errorText.ts'
import { showError } from '../../shell/feedback.ts'

type Errors<V> = Partial<Record<keyof V & string, string>>

interface Rules<V> {
  /** What is wrong with which field, in the reader's words; nothing when all is well. */
  check: (values: V) => Errors<V>
  /** The server's name of a field where it is not the form's. */
  serverNames?: Readonly<Record<string, keyof V & string>>
  /** Entered before the page was loaded anew. */
  typed?: Partial<V> | undefined
}

/**
 * A small form that is no resource: sign-in secrets, the own profile. An error shows when its field is left or the form
 * is sent, and goes as soon as the value is right; what the server blames stands at the field until it changes.
 */
export function useFields<V extends Record<string, unknown>>(initial: V, { check, serverNames = {}, typed }: Rules<V>) {
  const form = useId()
  const [values, setValues] = useState<V>(typed ? { ...initial, ...typed } : initial)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [fromServer, setFromServer] = useState<Errors<V>>({})
  const [busy, setBusy] = useState(false)
  const names = Object.keys(initial) as (keyof V & string)[]
  const found = check(values)

  const idOf = (name: keyof V & string) => `${form}-${name}`
  const focusFirst = (errors: Errors<V>) => {
    const first = names.find((name) => errors[name] !== undefined)
    if (first !== undefined) document.getElementById(idOf(first))?.focus()
  }
  const blame = (error: unknown) => {
    const named = isApiError(error) ? error.field : undefined
    const name = named === undefined ? undefined : (serverNames[named] ?? named)
    if (name === undefined || !names.includes(name)) return showError(error)
    const errors = { [name]: describeError(error).text } as Errors<V>
    setFromServer(errors)
    focusFirst(errors)
  }

  return {
    values,
    busy,
    dirty: JSON.stringify(values) !== JSON.stringify(initial),
    set: <K extends keyof V & string>(name: K, value: V[K]) => {
      setValues((before) => ({ ...before, [name]: value }))
      setFromServer(({ [name]: _, ...rest }) => rest as Errors<V>)
    },
    /** What the input and its label need. */
    field: (name: keyof V & string) => ({
      id: idOf(name),
      error: fromServer[name] ?? (left.has(name) ? found[name] : undefined),
      onBlur: () => values[name] !== initial[name] && setLeft((before) => new Set([...before, name])),
    }),
    /** Shows every error; answers the id of the first wrong field. */
    show: (): string | undefined => {
      setLeft(new Set(names))
      const first = names.find((name) => found[name] !== undefined)
      return first === undefined ? undefined : idOf(first)
    },
    submit: async (send: (values: V) => Promise<unknown>): Promise<boolean> => {
      if (busy) return false
      setLeft(new Set(names))
      if (Object.keys(found).length > 0) {
        focusFirst(found)
        return false
      }
      setBusy(true)
      try {
        await send(values)
        return true
      } catch (error) {
        blame(error)
        return false
      } finally {
        setBusy(false)
      }
    },
    reset: (to: V = initial) => {
      setValues(to)
      setLeft(new Set())
      setFromServer({})
    },
  }
}
