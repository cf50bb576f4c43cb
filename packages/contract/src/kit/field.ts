import { z } from 'zod'
import { type ContentKind, contentKinds } from './content.ts'
import { idOf } from './id.ts'
import { anyJson } from './json.ts'

/** How a field looks and is entered. The console maps each kind to one cell and one input; nothing else decides. */
export type FieldKind =
  | 'text'
  | 'longText'
  | 'mono'
  | 'number'
  | 'decimal'
  | 'money'
  | 'switch'
  | 'choice'
  | 'choices'
  | 'dictionary'
  | 'dictionaries'
  | 'ref'
  | 'refs'
  | 'timestamp'
  | 'date'
  | 'monthDay'
  | 'timeOfDay'
  | 'weekdays'
  | 'location'
  | 'group'
  | 'object'
  | 'mobile'
  | 'ipList'
  | 'lines'
  | 'json'
  | 'url'
  | 'secret'
  | 'masked'
  | 'file'
  | 'image'
  | 'upload'
  | 'names'
  | 'colour'

/** The kind of row a reference names: as much of its declaration as a reference needs. */
export interface RefTarget {
  readonly name: string
  /** The field that names a row wherever it is referred to. */
  readonly label: string
  readonly wire: { readonly path: string }
  /** Where a row of it has a page of its own: a reference leads there. */
  readonly palette?: { readonly opens?: PageOfRow }
}

/** The page of a row, with its fields in the path (`/device/list/detail/:sn`), and whom it is for. */
export interface PageOfRow {
  readonly path: string
  readonly perm: string
}

/** `value` is not said where `field` is `where`. */
export interface GivingWay {
  readonly value: string | number
  readonly field: string
  readonly where: string | number
}

/** Codes of a field's own: for a value that is not there, and for one that breaks the rule. */
export interface Faults {
  readonly missing?: number
  readonly wrong?: number
}

/** When a person may write the field: always, only while creating (locked after saving), or never (states, counts). */
export type Writable = 'always' | 'once' | 'never'

/** The field exists only while another field holds one of these values (shown, required and stored only then). */
export interface Condition {
  readonly field: string
  readonly is: readonly (string | number | boolean)[]
}

export interface Field<T = unknown, W extends Writable = Writable, R extends boolean = boolean> {
  readonly kind: FieldKind
  readonly writable: W
  readonly required: R
  /** The rule for a present value. Absence is `required`'s business. */
  readonly schema: z.ZodType<T>
  readonly max?: number
  readonly min?: number
  /** For files: what one may weigh, and what it may be by its content. */
  readonly maxBytes?: number
  readonly accepts?: readonly ContentKind[]
  /** For uploads: what the file is for, which says what it may be and who may send it (`uploadPurposes`). */
  readonly purpose?: string
  readonly options?: readonly (string | number)[]
  /** Where people find the name of an option, if not among the texts of the resource it stands in. */
  readonly optionText?: (option: string | number) => string
  /** For texts that may be words of ours: the keys their words may stand under. What stands under none is said as it is. */
  readonly wordKeys?: (value: string) => readonly string[]
  /** Where one value means nothing in a row whose other field says more: then the word of that field is said. */
  readonly giving?: GivingWay
  /** Code of the editable code table that names the values. */
  readonly dictionary?: string
  /** For references: the kind of row it names. */
  readonly target?: () => RefTarget
  /** For references: the row field that carries the name to show. */
  readonly nameField?: string
  /** For references: a department, which people find in the tree and which other names may depend on. */
  readonly place?: boolean
  /** For several references: kept by its room in a table between the two, not in a column. */
  readonly linked?: boolean
  /** For a group: what it holds. */
  readonly fields?: Readonly<Record<string, Field>>
  /** For decimals: figures behind the point. */
  readonly digits?: number
  readonly when?: Condition
  /** What a new form starts with. */
  readonly initial?: T
  /** Reading it leaves a line in the operation log. */
  readonly personal?: boolean
  /** Answered instead of 100001 and 100002. */
  readonly faults?: Faults
  /** Not offered for sorting: computed from other rows. */
  readonly unsorted?: boolean
  /** Not part of a row: only written (and read back by a call of its own) or only asked for in a filter. */
  readonly unlisted?: boolean
  /** Part of a row for programs; people are told the same by another field, or by the page the row stands on. */
  readonly untold?: boolean
  /** The serial number of a device, which leads to its page. */
  readonly serial?: boolean
  /** A list may be asked for this many at once, separated by slashes, spaces, commas or line breaks. */
  readonly several?: number
  /** A version such as `3.2.0`, ordered by its numbers: also asked for from one and below another. */
  readonly version?: boolean
  /** Another name the wire knows it by: taken instead of its own, and answered beside it. */
  readonly also?: string
  /** Answered when somebody tries to change it after the first save. */
  readonly lockedCode?: number
}

export type AnyField = Field<never> | Field<string> | Field<number> | Field<boolean> | Field

type Made<T> = Field<T, 'always', true>

const make = <T>(kind: FieldKind, schema: z.ZodType<T>, rest: Partial<Field<T>> = {}): Made<T> =>
  ({ kind, schema, ...rest, writable: 'always', required: true }) as Made<T>

// Control characters never belong in a name or a remark; line breaks only in long text.
const line = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
    .regex(/^[^\u0000-\u001f\u007f]*$/)

const paragraph = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
    .regex(/^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*$/)

/** Single line of text: 128 characters unless a field says otherwise (behaviour: values.text). */
export const text = (max = 128) => make('text', line(max), { max })
/** Remarks and agreements: several lines. */
export const longText = (max = 256) => make('longText', paragraph(max), { max })
/** Serial numbers, versions, addresses: shown in the monospaced face. */
export const mono = (max = 64, pattern?: RegExp) =>
  make('mono', pattern ? line(max).regex(pattern) : line(max), { max })
export const isTimeZone = (name: string) => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}
/** Whose clocks are meant, by its IANA name: `Europe/Berlin`. */
export const timeZone = () => make('mono', line(64).refine(isTimeZone), { max: 64 })
export const number = (min: number, max: number) => make('number', z.number().int().min(min).max(max), { min, max })
/** A figure with a fixed number of digits behind the point. */
export const decimal = (min: number, max: number, digits: number) =>
  make(
    'decimal',
    z
      .number()
      .min(min)
      .max(max)
      .multipleOf(10 ** -digits),
    { min, max, digits },
  )
/** An amount in hundredths of its currency, so that sums are exact. */
export const money = (max = 100_000_000) => make('money', z.number().int().min(0).max(max), { min: 0, max })
export const toggle = (initial = false) => make('switch', z.boolean(), { initial })
/** ISO 8601 knows moments that PostgreSQL does not: of the year 0, and by clocks that are sixteen hours off. */
const isKept = (value: string) => !value.startsWith('0000') && !/[+-](1[6-9]|2\d):\d\d$/.test(value)
export const moment = () => z.iso.datetime({ offset: true }).refine(isKept)
export const timestamp = () => make('timestamp', moment())
export const date = () => make('date', z.iso.date())
/** A day of every year, `MM-DD`; 29 February is one, 30 February is not. */
export const monthDay = () =>
  make(
    'monthDay',
    z.string().regex(/^(02-(0[1-9]|[12]\d)|(0[469]|11)-(0[1-9]|[12]\d|30)|(0[13578]|1[02])-(0[1-9]|[12]\d|3[01]))$/),
  )
/** A time of every day, `HH:mm`. */
export const timeOfDay = () => make('timeOfDay', z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/))
/** Days of the week, 1 is Monday. */
export const weekdays = () =>
  make(
    'weekdays',
    z
      .array(z.number().int().min(1).max(7))
      .min(1)
      .max(7)
      .transform((days) => [...new Set(days)].sort((a, b) => a - b)),
  )
export const location = () =>
  make('location', z.strictObject({ latitude: z.number().min(-90).max(90), longitude: z.number().min(-180).max(180) }))
export const mobile = () => make('mobile', z.string().regex(/^1[3-9]\d{9}$/), { max: 11 }) // behaviour: values.mobile
export const url = (max = 256) => make('url', z.url({ protocol: /^https?$|^ftp$/ }).max(max), { max })
export const colour = () => make('colour', z.string().regex(/^#[0-9a-f]{6}$/i))
/** Travels as ciphertext (base64 of RSA-OAEP), never leaves the server again; blank on edit means unchanged. The limits are the plain text's. */
export const secret = (min: number, max: number) => make('secret', z.string().min(1).max(4096), { min, max })
/** Entered and shown as a mask ever after; blank on edit means unchanged. The whole value is shown by a call of its own. */
export const masked = (max = 64) => make('masked', line(max), { max, personal: true })
export const ipList = () => make('ipList', z.array(z.string().trim().min(1).max(64)).max(200))
/** The object a text of JSON holds; undefined when it is anything else. Blank is an empty one. */
export const readJsonObject = (given: string | null | undefined): Record<string, unknown> | undefined => {
  if (!given?.trim()) return {}
  try {
    const value: unknown = JSON.parse(given)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
/** An object, as text somebody writes by hand. */
export const json = (max = 5000) =>
  make(
    'json',
    paragraph(max).refine((value) => readJsonObject(value) !== undefined),
    { max },
  )
/** Several short texts, one a line. */
export const lines = () => make('lines', z.array(z.string().trim().min(1)))
/** A name, never a path. */
export const fileName = line(255).regex(/^[^/\\]+$/)
/** A file as a row shows it. What is written is what sending the file has answered; only the id counts. */
export const fileValue = z
  .strictObject({
    id: idOf('storedFile'),
    name: fileName,
    size: z.number().int().min(0),
    type: z.enum(Object.values(contentKinds).map(({ type }) => type)),
  })
  .meta({ id: 'StoredFile' })
export type FileValue = z.output<typeof fileValue>
/** A file that belongs to its row: sent by itself, shown and fetched by whoever sees the row. */
export const file = (maxBytes: number, accepts: readonly [ContentKind, ...ContentKind[]]) =>
  make('file', fileValue, { maxBytes, accepts })
/** A picture, which lists and forms show. */
export const image = (maxBytes = 2 * 1024 * 1024, accepts: readonly ContentKind[] = ['png', 'jpeg']) =>
  make('image', fileValue, { maxBytes, accepts })
export const holdsFile = ({ kind }: Pick<Field, 'kind'>) => kind === 'file' || kind === 'image'

/**
 * A file that was sent in parts before the form: the id of an upload that is complete. The room that makes the row takes it;
 * rows show what became of it by fields of their own.
 */
export const upload = (purpose: string) => make('upload', idOf('upload'), { purpose })

/** A name in the three languages, sent as `{ en, 'zh-cn', 'zh-tw' }`. */
export const names = (max = 128) =>
  make('names', z.strictObject({ en: line(max), 'zh-cn': line(max), 'zh-tw': line(max) }), { max })

export const choice = <const V extends string | number>(options: readonly [V, ...V[]]) =>
  make('choice', z.literal(options as readonly V[]) as unknown as z.ZodType<V>, { options })

export const choices = <const V extends string | number>(options: readonly [V, ...V[]]) =>
  make('choices', z.array(z.literal(options as readonly V[])) as unknown as z.ZodType<V[]>, { options })

export const dictionaryCodeMax = 999
const dictionaryCode = z.number().int().min(0).max(dictionaryCodeMax)
/** A code from an editable code table; labels come from the server, unknown codes are shown as they are. */
export const dictionary = (code: string) => make('dictionary', dictionaryCode, { dictionary: code })
export const dictionaries = (code: string) =>
  make('dictionaries', z.array(dictionaryCode).max(50), { dictionary: code })

const id = z.number().int().positive()
/**
 * Another row, by its id. Picker, joined name, reach, filter, import and foreign key come from the target's own declaration.
 * `nameField` is the row's field that carries the name to show, where it shows one. Where two declarations name each other,
 * one says `(): RefTarget => …`.
 */
export const ref = (target: () => RefTarget, nameField?: string) =>
  make('ref', id, { target, ...(nameField && { nameField }) })
/** Several other rows. */
export const refs = (target: () => RefTarget, nameField?: string, max = 200) =>
  make('refs', z.array(id).min(1).max(max), { target, ...(nameField && { nameField }) })
/** Names and values that a screen of its own puts together: the filters of a list, the items of a profile. */
export const object = <V = unknown>(values: z.ZodType<V> = anyJson as z.ZodType<V>, max = 1_000, nameMax = 64) =>
  make(
    'object',
    z.record(z.string().max(nameMax), values).refine((given) => Object.keys(given).length <= max),
  )
/** Several other rows, kept by the room in a table between the two. */
export const linked = <F extends Field>(field: F): F => ({ ...field, linked: true })

type Changed<F extends Field, C> = Omit<F, keyof C> & C

export const optional = <T, W extends Writable>(field: Field<T, W, boolean>): Field<T, W, false> => ({
  ...field,
  required: false,
})
/** Locked after the first save; a change is answered with `lockedCode` where the catalogue has one. */
export const once = <T, R extends boolean>(field: Field<T, Writable, R>, lockedCode?: number): Field<T, 'once', R> => ({
  ...field,
  writable: 'once',
  ...(lockedCode && { lockedCode }),
})
/** Set by the server only: states, counts, times, joined names. */
export const readOnly = <T, R extends boolean>(field: Field<T, Writable, R>): Field<T, 'never', R> => ({
  ...field,
  writable: 'never',
})
export const when = <F extends Field>(condition: Condition, field: F): Changed<F, { when: Condition }> =>
  ({ ...field, when: condition }) as Changed<F, { when: Condition }>
/** One code for both, or one for each; what has none is answered as everywhere. */
export const answering = <F extends Field>(codes: number | Faults, field: F): F => ({
  ...field,
  faults: typeof codes === 'number' ? { missing: codes, wrong: codes } : codes,
})
export const startingWith = <T, W extends Writable, R extends boolean>(
  initial: T,
  field: Field<T, W, R>,
): Field<T, W, R> => ({
  ...field,
  initial,
})
export const namedBy = <F extends Field>(optionText: NonNullable<Field['optionText']>, field: F): F => ({
  ...field,
  optionText,
})
export const wordedBy = <F extends Field>(wordKeys: NonNullable<Field['wordKeys']>, field: F): F => ({
  ...field,
  wordKeys,
})
export const givingWay = <F extends Field>(giving: GivingWay, field: F): F => ({ ...field, giving })
export const personal = <F extends Field>(field: F): F => ({ ...field, personal: true })
export const untold = <F extends Field>(field: F): F => ({ ...field, untold: true })
export const unlisted = <F extends Field>(field: F): F => ({ ...field, unlisted: true })
export const several = <F extends Field>(limit: number, field: F): F => ({ ...field, several: limit })
export const alsoNamed = <F extends Field>(also: string, field: F): F => ({ ...field, also })
export const unsorted = <F extends Field>(field: F): F => ({ ...field, unsorted: true })

export const version = <F extends Field>(field: F): F => ({ ...field, version: true })
