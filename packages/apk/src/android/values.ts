/** A value as Android keeps it: its kind in a byte, the rest in four. */
export interface Value {
  readonly type: number
  readonly data: number
  /** What it says where it is a text. */
  readonly text: string | undefined
}

export const valueTypes = {
  reference: 0x01,
  string: 0x03,
  dynamicReference: 0x07,
  firstInteger: 0x10,
  bool: 0x12,
  lastInteger: 0x1f,
} as const

export const isReference = ({ type, data }: Value): boolean =>
  (type === valueTypes.reference || type === valueTypes.dynamicReference) && data !== 0

export const isInteger = ({ type }: Value): boolean =>
  type >= valueTypes.firstInteger && type <= valueTypes.lastInteger && type !== valueTypes.bool
