import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { isKnownDefault } from '@campanile/contract'
import ipaddr from 'ipaddr.js'
import { OperatorError } from './operator-error.ts'
import { readS3Address, type S3Address, s3AddressShape } from './s3/address.ts'
import settings from './settings.json' with { type: 'json' }

const roleNames = ['api', 'gateway', 'worker'] as const
export type Role = (typeof roleNames)[number]

export interface Config {
  host: string
  port: number
  mqttPort: number
  /** Absolute. */
  dataDir: string
  databaseUrl?: string
  brokerUrl?: string
  /** Where large files are kept; without it in the data folder. */
  filesStore?: S3Address
  /** Files; with them the devices' port also speaks TLS. */
  mqttTls?: { cert: string; key: string }
  adminPassword?: string
  demo: boolean
  captcha: boolean
  trustedProxies: string[]
  roles: Role[]
  /** Of one account, whatever it is signed in with; see haste.ts. */
  requestsPerMinute: number
}

export class ConfigError extends OperatorError {
  override name = 'ConfigError'
  constructor(readonly sentences: string[]) {
    super(sentences.join('\n'))
  }
}

type Variable = (typeof settings.variables)[number]['name']

/** Reads every variable before it complains, so that one start shows all mistakes. */
export function readConfig(env: NodeJS.ProcessEnv, argv: string[] = []): Config {
  const wrong: string[] = []
  const value = (name: Variable): string | undefined => env[name]?.trim() || undefined
  const read = <T>(name: Variable, fallback: T, parse: (text: string) => T | undefined, expected: string): T => {
    const text = value(name)
    if (text === undefined) return fallback
    const parsed = parse(text)
    if (parsed === undefined) wrong.push(`${name} is "${shown(name, text)}": write ${expected}.`)
    return parsed ?? fallback
  }

  wrong.push(...unknownVariables(env), ...unknownOptions(argv))

  const config: Config = {
    host: read('CAMPANILE_HOST', '127.0.0.1', parseHost, 'an IP address or a host name, such as 127.0.0.1 or 0.0.0.0'),
    port: read('CAMPANILE_PORT', 8080, parsePort, 'a number from 0 to 65535'),
    mqttPort: read('CAMPANILE_MQTT_PORT', 1883, parsePort, 'a number from 0 to 65535'),
    dataDir: resolve(value('CAMPANILE_DATA') ?? './data'),
    demo: read('CAMPANILE_DEMO', false, parseSwitch, '1 or 0') || argv.includes('--demo'),
    captcha: read('CAMPANILE_CAPTCHA', true, parseSwitch, 'on or off'),
    trustedProxies: read(
      'CAMPANILE_TRUSTED_PROXIES',
      [],
      parseProxies,
      'addresses or ranges separated by commas, such as 10.0.0.5,192.168.0.0/16',
    ),
    requestsPerMinute: read('CAMPANILE_REQUESTS_PER_MINUTE', 1_200, parseRequests, 'a number from 60 to 1000000'),
    roles: read('CAMPANILE_ROLES', [...roleNames], parseRoles, `one or more of ${roleNames.join(', ')}`),
  }
  const databaseUrl = read(
    'CAMPANILE_DATABASE_URL',
    undefined,
    parseUrl(['postgres:', 'postgresql:']),
    databaseUrlShape,
  )
  const brokerUrl = read('CAMPANILE_BROKER_URL', undefined, parseUrl(['mqtt:', 'mqtts:']), brokerUrlShape)
  const filesStore = read('CAMPANILE_FILES_URL', undefined, readS3Address, s3AddressShape)
  const adminPassword = read(
    'CAMPANILE_ADMIN_PASSWORD',
    undefined,
    parseAdminPassword,
    '8 to 64 characters with letters, digits and special characters',
  )
  if (adminPassword && isKnownDefault(adminPassword) && isPublic(config)) {
    wrong.push(
      `CAMPANILE_ADMIN_PASSWORD is a well-known default and ${publicBy(config)}: choose another password or leave the variable out to have one generated.`,
    )
  }
  const [cert, key] = [value('CAMPANILE_MQTT_CERT'), value('CAMPANILE_MQTT_KEY')]
  if (!cert !== !key) wrong.push('CAMPANILE_MQTT_CERT and CAMPANILE_MQTT_KEY belong together: set both or neither.')
  if (wrong.length > 0) throw new ConfigError(wrong)
  return {
    ...config,
    ...(databaseUrl ? { databaseUrl } : {}),
    ...(brokerUrl ? { brokerUrl } : {}),
    ...(filesStore ? { filesStore } : {}),
    ...(cert && key ? { mqttTls: { cert: resolve(cert), key: resolve(key) } } : {}),
    ...(adminPassword ? { adminPassword } : {}),
  }
}

const databaseUrlShape = 'postgres://owner:password@host:5432/database'
const brokerUrlShape = 'mqtt://host:1883 or mqtts://host:8883'

const unknownVariables = (env: NodeJS.ProcessEnv): string[] => {
  const names = settings.variables.map((variable) => variable.name)
  return Object.keys(env)
    .filter((name) => name.startsWith('CAMPANILE_') && !names.includes(name))
    .map((name) => `${name} is not a setting${didYouMean(name, names)}. Known settings: ${names.join(', ')}.`)
}

const unknownOptions = (argv: string[]): string[] => {
  const names = settings.options.map((option) => option.name)
  return argv
    .filter((option) => !names.includes(option))
    .map((option) => `${option} is not an option${didYouMean(option, names)}. Known options: ${names.join(', ')}.`)
}

const didYouMean = (name: string, names: string[]): string => {
  const [nearest] = names.map((known) => ({ known, far: distance(name, known) })).sort((a, b) => a.far - b.far)
  return nearest && nearest.far <= 4 ? `; write ${nearest.known} instead` : ''
}

/** Levenshtein, one row at a time. */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [i, left] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, right] of [...b].entries()) {
      next.push(Math.min((row[j] ?? 0) + (left === right ? 0 : 1), (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

/** A wrong value is quoted back, but never one that holds a password. */
const shown = (name: Variable, text: string): string => (/PASSWORD|URL/.test(name) ? '…' : text)

const parsePort = (text: string) => (/^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined)

const parseRequests = (text: string) =>
  /^\d{1,7}$/.test(text) && Number(text) >= 60 && Number(text) <= 1_000_000 ? Number(text) : undefined

const parseHost = (text: string) => (isIP(text) || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text) ? text : undefined)

const switches: Record<string, boolean> = { 1: true, on: true, true: true, 0: false, off: false, false: false }
const parseSwitch = (text: string) => switches[text.toLowerCase()]

const parseList = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

const parseProxies = (text: string) => {
  const list = parseList(text)
  return list.every((part) => ipaddr.isValid(part) || ipaddr.isValidCIDR(part)) ? list : undefined
}

const parseRoles = (text: string): Role[] | undefined => {
  const list = parseList(text)
  const roles = roleNames.filter((role) => list.includes(role))
  return roles.length > 0 && list.every((part) => roleNames.some((role) => role === part)) ? roles : undefined
}

const parseUrl =
  (protocols: string[]) =>
  (text: string): string | undefined => {
    if (!URL.canParse(text)) return undefined
    const url = new URL(text)
    return protocols.includes(url.protocol) && (url.hostname !== '' || url.searchParams.has('host')) ? text : undefined
  }

const parseAdminPassword = (text: string) =>
  text.length >= 8 && text.length <= 64 && /\p{L}/u.test(text) && /\d/.test(text) && /[^\p{L}\d\s]/u.test(text)
    ? text
    : undefined

/** Whether other machines reach it: by its own address, or through a proxy that speaks for them. */
export const isPublic = ({ host, trustedProxies = [] }: PublicConfig): boolean =>
  !isLoopback(host) || trustedProxies.length > 0

/** Why, as half a sentence. */
export const publicBy = ({ host }: PublicConfig): string =>
  isLoopback(host)
    ? 'CAMPANILE_TRUSTED_PROXIES names proxies that other machines come through'
    : `${host} can be reached from other machines`

type PublicConfig = { readonly host: string; readonly trustedProxies?: readonly string[] | undefined }

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback')
