import {
  activationErrors,
  codeLength,
  deviceErrors,
  type ErrorSpec,
  isGuessable,
  serialMax,
  serialNumber,
} from '@campanile/contract'
import { z } from 'zod'

export interface CodeLine {
  readonly line: number
  readonly sn: string
  /** Left open where the line holds a serial number alone. */
  readonly code: string | null
  readonly mac: string | null
}
export interface LineFault {
  readonly line: number
  readonly spec: ErrorSpec
  readonly sn: string
  /** What stands in a cell that cannot be taken. */
  readonly value?: string
}

const sn = z.string().trim().min(1).max(serialMax).regex(serialNumber)
// Anything printable that a label may hold, save for the separator.
const code = z
  .string()
  .trim()
  .min(codeLength.entered.min)
  .max(codeLength.entered.max)
  .regex(/^[\x21-\x3A\x3C-\x7E]+$/)
const mac = z
  .string()
  .trim()
  .regex(/^([0-9A-Fa-f]{2}[:-]?){5}[0-9A-Fa-f]{2}$/)
  .or(z.literal('').transform(() => null))

/** The label's own words, and the wire's. */
const asJson = z
  .strictObject({
    sn,
    activationCode: code.optional(),
    random: code.optional(),
    code: code.optional(),
    mac: mac.nullish(),
  })
  .transform((found) => ({
    sn: found.sn,
    code: found.activationCode ?? found.random ?? found.code ?? null,
    mac: found.mac ?? null,
  }))
const asParts = z.tuple([sn, code, mac, z.literal('')]).transform(([sn, code, mac]) => ({ sn, code, mac }))
const alone = sn.transform((sn) => ({ sn, code: null, mac: null }))

/** The serial number stands on the box for everybody to read. */
const isWeak = ({ sn, code }: { sn: string; code: string | null }) =>
  code !== null && (code.toLowerCase() === sn.toLowerCase() || isGuessable(code))

const parse = (text: string) => {
  if (text.startsWith('{')) {
    try {
      return asJson.safeParse(JSON.parse(text))
    } catch {
      return { success: false } as const
    }
  }
  // The semicolon at the end is part of the form, and a line without any holds a serial number alone (behaviour: devices.code-lines).
  return text.includes(';') ? asParts.safeParse(text.split(';')) : alone.safeParse(text)
}

export interface RawLine {
  readonly line: number
  readonly text: string
}

/** Blank lines are skipped, but counted. */
export const linesOf = (text: string): RawLine[] =>
  text.split(/\r\n|\r|\n/).flatMap((raw, at) => (raw.trim() ? [{ line: at + 1, text: raw.trim() }] : []))

/** A row of a sheet holds a whole line in its first cell, or serial number, code and MAC beside each other. */
export const rowText = (cells: readonly (string | null)[]): string => {
  const [first = '', second = '', third = ''] = cells.map((cell) => cell?.trim() ?? '')
  if (second) return `${first};${second};${third};`
  return third ? JSON.stringify({ sn: first, mac: third }) : first
}

/** Each line by itself: JSON, `sn;random;mac;` or a serial number. */
export const readLines = (raw: readonly RawLine[]): { lines: CodeLine[]; faults: LineFault[] } => {
  const lines: CodeLine[] = []
  const faults: LineFault[] = []
  const seen = new Set<string>()
  for (const { line, text } of raw) {
    const found = parse(text)
    if (!found.success) faults.push({ line, spec: activationErrors.codeFormatWrong, sn: '' })
    else if (isWeak(found.data)) faults.push({ line, spec: activationErrors.codeTooWeak, sn: found.data.sn })
    else if (seen.has(found.data.sn)) faults.push({ line, spec: deviceErrors.snRepeated, sn: found.data.sn })
    else lines.push({ line, ...found.data })
    if (found.success) seen.add(found.data.sn)
  }
  return { lines, faults }
}
