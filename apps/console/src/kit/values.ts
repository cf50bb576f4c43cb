import type { FieldKind } from '@campanile/contract/kit'

/** Nothing there: a cell shows a dash, a form asks for it, an address leaves it out. */
export const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** Kinds that are typed; the others are chosen. */
const typed: ReadonlySet<FieldKind> = new Set<FieldKind>([
  'text',
  'longText',
  'mono',
  'number',
  'mobile',
  'ipList',
  'lines',
  'json',
  'url',
  'secret',
  'masked',
  'names',
])
export const isTyped = (kind: FieldKind): boolean => typed.has(kind)
