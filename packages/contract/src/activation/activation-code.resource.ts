import { z } from 'zod'
import { serial, serialMax } from '../device/facts.ts'
import { isKnownDefault } from '../identity/known-defaults.ts'
import {
  defineEndpoint,
  defineResource,
  fileAnswer,
  idInQuery,
  idOf,
  mono,
  optional,
  readOnly,
  sheetMaxBytes,
  text,
  timestamp,
  toggle,
  unsorted,
} from '../kit/index.ts'
import { department, organisation } from '../organisation/organisation.resource.ts'

/**
 * Characters of a code. Those we make are random, in letters and digits that nobody takes for each other: 80 bits.
 * Those that people bring from a label or another system may be shorter, but not so short that they are guessed.
 */
export const codeLength = { entered: { min: 8, max: 64 }, made: 16 } as const
export const codeAlphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
/** What a code of one's own choosing has to differ in. */
export const codeCharactersMin = 5
const rows = ['01234567890', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm']
const steps = new Set(
  rows.flatMap((row) => [...row].slice(1).flatMap((next, at) => [`${row[at]}${next}`, `${next}${row[at]}`])),
)
/** Guessed with the first tries: too few different characters, a known word, or little else than keys in a row. */
export const isGuessable = (code: string): boolean => {
  const plain = code.toLowerCase()
  const pairs = [...plain].slice(1).map((next, at) => `${plain[at]}${next}`)
  const inRow = pairs.filter((pair) => steps.has(pair) || pair[0] === pair[1]).length
  return isKnownDefault(plain) || new Set(plain).size < codeCharactersMin || inRow >= pairs.length - 1
}
/** Codes of one enterprise that can still be used. */
export const unusedCodesMax = 100_000
/** So long after a code was used its device may ask again for the answer that it lost. */
export const repeatMinutes = 10

/** A one-time permission to join, made for one serial number. `FSK` is the factory secret key of the wire (behaviour: devices.code-lines). */
export const activationCode = defineResource({
  name: 'activationCode',
  wire: { path: '/api/v3/device/FSK' },
  fields: {
    sn: readOnly(serial()),
    /** Shown to whoever may hand codes out (`codeLabels`), and masked for everybody else. */
    activationCode: readOnly(unsorted(mono(codeLength.entered.max))),
    mac: readOnly(optional(mono(32))),
    /** What the QR code holds: `sn;random;mac;` (behaviour: devices.code-lines). */
    qrData: readOnly(unsorted(text(256))),
    used: readOnly(toggle()),
    /** The device that joined with it, while it is still here. */
    deviceSn: readOnly(optional(unsorted(mono(serialMax)))),
    usedTime: readOnly(optional(timestamp())),
    expireTime: readOnly(optional(timestamp())),
    departmentId: readOnly(department()),
    departmentName: readOnly(text()),
    createTime: readOnly(timestamp()),
  },
  list: {
    columns: [
      'sn',
      'qrData',
      'activationCode',
      'createTime',
      'used',
      'usedTime',
      'deviceSn',
      'departmentId',
      'expireTime',
      'mac',
    ],
    hidden: ['mac'],
    card: ['qrData', 'activationCode', 'departmentId', 'used'],
    filters: ['sn', 'activationCode', 'used', 'createTime'],
    sort: '-createTime',
  },
  perms: { list: 'activation:code:list', remove: 'activation:code:delete', export: 'activation:code:export' },
  scope: 'organisation',
  palette: { by: ['sn'], about: 'device', tells: ['departmentName', 'used', 'expireTime'] },
})
const codeLabel = z.object({
  id: z.number(),
  sn: z.string(),
  activationCode: z.string(),
  /** What the QR code holds: `sn;random;mac;` (behaviour: devices.code-lines). */
  qrData: z.string(),
})
export type CodeLabel = z.output<typeof codeLabel>
const createdCodes = z.object({ created: z.number().int(), codes: z.array(codeLabel) })
export type CreatedCodes = z.output<typeof createdCodes>
/** What all codes of a batch have in common. A query can only say it as text. */
const batch = {
  departmentId: idInQuery(() => organisation).optional(),
  deviceType: z.coerce.number().int().min(1).max(999).optional(),
  validDays: z.coerce.number().int().min(1).max(3650).optional(),
}
/** One code a line, JSON or `sn;random;mac;` (behaviour: devices.code-lines); serials alone get a generated code. Nothing is stored when a line is wrong. */
export const createCodes = defineEndpoint({
  name: 'createCodes',
  method: 'POST',
  path: '/api/v3/device/FSK/create',
  perm: 'activation:code:add',
  scope: 'organisation',
  heavy: true,
  input: z.strictObject({ codes: z.string().max(1_000_000), ...batch }),
  answer: createdCodes,
})
/** The same from a sheet: serial number, code and MAC in its first three columns, or whole lines in the first. */
export const importCodes = defineEndpoint({
  name: 'importCodes',
  method: 'POST',
  path: '/api/v3/device/FSK/importFile',
  perm: 'activation:code:batch',
  scope: 'organisation',
  heavy: true,
  upload: { maxBytes: sheetMaxBytes },
  input: z.strictObject(batch),
  answer: createdCodes,
})
/** More labels than this are several sheets. */
export const labelsMax = 1000
/** What is printed on labels, in the order asked for. */
export const codeLabels = defineEndpoint({
  name: 'codeLabels',
  method: 'POST',
  path: '/api/v3/device/FSK/labels',
  perm: 'activation:code:qr',
  scope: 'organisation',
  heavy: true,
  input: z.strictObject({
    ids: z
      .array(idOf(() => activationCode))
      .min(1)
      .max(labelsMax),
  }),
  answer: z.object({ rows: z.array(codeLabel) }),
})
/**
 * What a device calls with the code of its label. With a random key of its own it may ask again for some minutes, and
 * gets the same answer; without one the password is shown this once.
 */
export const activate = defineEndpoint({
  name: 'activate',
  method: 'POST',
  path: '/device/v1/activate',
  perm: 'public',
  scope: 'public',
  input: z.strictObject({
    sn: z.string().max(128),
    code: z.string().max(128),
    /** A secret the device makes up for this call and keeps until it holds its password. */
    key: z
      .string()
      .regex(/^[\x21-\x7E]{16,128}$/)
      .optional(),
    publicKey: z.string().max(4096).optional(),
  }),
  answer: z.object({
    username: z.string(),
    password: z.string(),
    mqttUrl: z.string(),
    serverTime: z.string(),
    /** As `releaseKey` answers it. */
    releaseKey: z.string(),
  }),
})
/** What the manifests of releases are verified with: an Ed25519 public key in PEM. For devices that joined before it was given. */
export const releaseKey = defineEndpoint({
  name: 'releaseKey',
  method: 'GET',
  path: '/device/v1/releaseKey',
  perm: 'public',
  scope: 'public',
  input: z.strictObject({}),
  answer: z.object({ releaseKey: z.string() }),
})
/** The agent itself: one file that needs Node 20. */
export const agentProgram = defineEndpoint({
  name: 'agentProgram',
  method: 'GET',
  path: '/device/v1/agent.mjs',
  perm: 'public',
  scope: 'public',
  input: z.strictObject({}),
  answer: fileAnswer,
})
export const activationEndpoints = [createCodes, importCodes, codeLabels, activate, releaseKey, agentProgram]
