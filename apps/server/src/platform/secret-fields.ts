import { isSecretName, secretMask } from '@campanile/contract'

/** Deeper than anything a person enters; what lies below is not shown at all. */
const depthMax = 32
/** Longer text is not read as JSON; its pairs are masked where they stand. */
const parsedTextMax = 1_000_000

/** `"name": "value"` inside words or in JSON that was cut off; the closing quote may be missing. */
const quotedPair = /"([^"\\]{1,64})"(\s*:\s*)(?:"(?:[^"\\]|\\.)*(?:"|$)|-?\d[\d.eE+-]*)/g
/** `name=value` of a query, a command line or a configuration file. */
const plainPair = /([A-Za-z][\w.-]{0,63})(=)("[^"]*"|'[^']*'|[^\s&;,"']+)/g
/** `https://name:password@host` */
const urlPassword = /(\/\/[^\s/:@]*:)[^\s/@]+(?=@)/g
/** A line of a label: `sn;random;mac;`. */
const labelLine = /^([\w.:-]{1,64};)[\x21-\x3A\x3C-\x7E]{4,64}(;[0-9A-Fa-f:-]{0,17};)$/gm

const maskPairs = (text: string): string =>
  text
    .replace(quotedPair, (all, name: string, colon: string) =>
      isSecretName(name, /:\s*"/.test(all.slice(name.length + 2)) ? 'text' : 0)
        ? `"${name}"${colon}"${secretMask}"`
        : all,
    )
    .replace(plainPair, (all, name: string) => (isSecretName(name, 'text') ? `${name}=${secretMask}` : all))
    .replace(urlPassword, `$1${secretMask}`)
    .replace(labelLine, `$1${secretMask}$2`)

const maskText = (text: string, depth: number): string => {
  const first = text.trimStart()[0]
  if ((first === '{' || first === '[' || first === '"') && text.length <= parsedTextMax) {
    try {
      const parsed: unknown = JSON.parse(text)
      const masked = JSON.stringify(mask(parsed, depth + 1))
      // Text without a secret stays as it was written.
      return masked === JSON.stringify(parsed) ? text : masked
    } catch {
      // Not JSON after all.
    }
  }
  return maskPairs(text)
}

/** Everything below a secret's name, in its shape: a list of tokens still tells how many there are. */
const hide = (value: unknown): unknown => {
  if (value === null || value === undefined || value === '' || typeof value === 'boolean') return value
  if (Array.isArray(value)) return value.map(() => secretMask)
  return secretMask
}

/** `{ name: 'wifiPassword', value: … }`: the name of what is told stands beside it. */
const namedBeside = ({ item, name, field, key }: Record<string, unknown>): boolean =>
  [item, name, field, key].some((each) => typeof each === 'string' && isSecretName(each, 'text'))
const valueNames = new Set(['value', 'oldValue', 'newValue', 'before', 'after'])

const isPlain = (value: object) => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

const mask = (value: unknown, depth: number): unknown => {
  if (typeof value === 'string') return maskText(value, depth)
  if (typeof value !== 'object' || value === null) return value
  if (depth > depthMax) return secretMask
  if (Array.isArray(value)) return value.map((each) => mask(each, depth + 1))
  if (!isPlain(value)) return value
  const fields = value as Record<string, unknown>
  const beside = namedBeside(fields)
  const hidden = (name: string, each: unknown) =>
    (beside && valueNames.has(name)) || (isSecretName(name, each) && !(name === 'key' && 'value' in fields))
  return Object.fromEntries(
    Object.entries(fields).map(([name, each]) => [name, hidden(name, each) ? hide(each) : mask(each, depth + 1)]),
  )
}

/**
 * The same value without its secrets: nested objects, lists and JSON inside text. Which names are secrets is
 * declared in the contract. Free fields pass through here before anybody reads them or a log keeps them.
 */
export const maskSecrets = (value: unknown): unknown => mask(value, 0)
