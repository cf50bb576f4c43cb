import type { Resource } from '@campanile/contract/kit'
import type { AnyRow } from '../reader.ts'
import type { Values } from './formValues.ts'

/** A form as it comes back after the page was loaded anew; whoever opens it knows by `about` what it is for. */
export interface KeptForm<A = AnyRow> {
  /** The row that is edited, or what an action is about; a new row is about nothing. */
  readonly about: A | null
  readonly values: Values
}

/** A row's form is kept by its resource's name, that of an action by this. */
export const actionFormOf = ({ name }: Resource) => `${name}.action`
