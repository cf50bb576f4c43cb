import { isSecretName, isSecretNameOfDevice, secretMask } from '@campanile/contract'

/** Deeper than anything a person enters; what lies below is not shown at all. */
const depthMax = 32
/** Longer text is not read as JSON; its pairs are masked where they stand. */
const parsedTextMax = 1_000_000

/** `"name": "value"` inside words or in JSON that was cut off; the closing quote may be missing. */
const quotedPair = /"([^"\\]{1,64})"(\s*:\s*)(?:"(?:[^"\\]|\\.)*(?:"|$)|-?\d[\d.eE+-]*)/g
// The names of the next two are looked back for from the sign behind them: looked for from their beginning, every letter of
// a long word would be one, and sixty thousand of them held everybody up.
/** `name=value` of a query, a command line or a configuration file. */
const plainPair = /=(?<=(\p{L}[\p{L}\p{N}_.-]{0,63})=)("[^"]*"|'[^']*'|[^\s&;,"']+)/gu
/** `name: value` as people write it. */
const spokenPair = /([:：])(?<=(\p{L}[\p{L}\p{N}_.-]{0,63})\s{0,4}[:：])(\s{0,4})("[^"]*"|'[^']*'|[^\s,;，；。"']+)/gu
/** `--name value` of a command line. */
const flagPair = /(^|\s)(--?[A-Za-z][\w-]{0,63})(\s{1,4})("[^"]*"|'[^']*'|[^\s"'-][^\s"']*)/g
const flag = /^--?([A-Za-z][\w-]{0,63})$/
/** A key in PEM, also one that was cut off. */
const privateKey = /-----BEGIN [A-Z0-9 ]{0,32}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,32}PRIVATE KEY-----|$)/g
/** `https://name:password@host` */
const urlPassword = /(\/\/[^\s/:@]*:)[^\s/@]+(?=@)/g
/** A line of a label: `sn;random;mac;`. */
const labelLine = /^([\w.:-]{1,64};)[\x21-\x3A\x3C-\x7E]{4,64}(;[0-9A-Fa-f:-]{0,17};)$/gm

type IsSecret = (name: string, value: unknown) => boolean

/** In running text a `key:` or a `code:` introduces anything; those that are secrets stand in quotes or after `=`. */
const isSpokenSecret = (name: string, isSecret: IsSecret) =>
  isSecretNameOfDevice(name, 'text') && isSecret(name, 'text')

const maskPairs = (text: string, isSecret: IsSecret): string =>
  text
    .replace(privateKey, secretMask)
    .replace(quotedPair, (all, name: string, colon: string) =>
      isSecret(name, /:\s*"/.test(all.slice(name.length + 2)) ? 'text' : 0) ? `"${name}"${colon}"${secretMask}"` : all,
    )
    .replace(plainPair, (all, name: string) => (isSecret(name, 'text') ? `=${secretMask}` : all))
    .replace(spokenPair, (all, colon: string, name: string, gap: string) =>
      isSpokenSecret(name, isSecret) ? `${colon}${gap}${secretMask}` : all,
    )
    .replace(flagPair, (all, before: string, name: string, gap: string) =>
      isSpokenSecret(name.replace(/^-+/, ''), isSecret) ? `${before}${name}${gap}${secretMask}` : all,
    )
    .replace(urlPassword, `$1${secretMask}`)
    .replace(labelLine, `$1${secretMask}$2`)

const maskText = (text: string, depth: number, isSecret: IsSecret): string => {
  const first = text.trimStart()[0]
  if ((first === '{' || first === '[' || first === '"') && text.length <= parsedTextMax) {
    try {
      const parsed: unknown = JSON.parse(text)
      const masked = JSON.stringify(mask(parsed, depth + 1, isSecret))
      // Text without a secret stays as it was written.
      return masked === JSON.stringify(parsed) ? text : masked
    } catch {
      // Not JSON after all.
    }
  }
  return maskPairs(text, isSecret)
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

/** A command line in words: what follows `--password` is one. */
const maskList = (list: readonly unknown[], depth: number, isSecret: IsSecret): unknown[] =>
  list.map((each, at) => {
    const before = list[at - 1]
    const name = typeof before === 'string' ? flag.exec(before)?.[1] : undefined
    return name && isSpokenSecret(name, isSecret) ? hide(each) : mask(each, depth + 1, isSecret)
  })

const mask = (value: unknown, depth: number, isSecret: IsSecret): unknown => {
  if (typeof value === 'string') return maskText(value, depth, isSecret)
  if (typeof value !== 'object' || value === null) return value
  if (depth > depthMax) return secretMask
  if (Array.isArray(value)) return maskList(value, depth, isSecret)
  if (!isPlain(value)) return value
  const fields = value as Record<string, unknown>
  const beside = namedBeside(fields)
  const hidden = (name: string, each: unknown) =>
    (beside && valueNames.has(name)) || (isSecret(name, each) && !(name === 'key' && 'value' in fields))
  return Object.fromEntries(
    Object.entries(fields).map(([name, each]) => [
      name,
      hidden(name, each) ? hide(each) : mask(each, depth + 1, isSecret),
    ]),
  )
}

/**
 * The same value without its secrets: nested objects, lists and JSON inside text. Which names are secrets is
 * declared in the contract. Free fields pass through here before anybody reads them or a log keeps them.
 */
export const maskSecrets = (value: unknown): unknown => mask(value, 0, isSecretName)

/** The same for what a device says, before it is stored. */
export const maskSaid = (value: unknown): unknown => mask(value, 0, isSecretNameOfDevice)

/** Every name of a secret holds one of these; what holds none of them need not be looked at any closer. */
const hint =
  /pass|secret|token|pin|psk|pwd|pw|otp|key|credential|authorization|cookie|sessionid|qrdata|random|code|kenn|wacht|contra|senha|clave|mdp|webhook|\/\/|;|[^ -~]/i
export const mayHoldSecret = (text: string): boolean => hint.test(text)
