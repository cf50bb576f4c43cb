/** What a variant of a resource is for. */
export interface Config {
  /** Two letters, none for every language, `*` for one with a name of three. */
  readonly language: string
  readonly country: string
  readonly script: string
  /** Dots an inch; 0 where nothing is said. */
  readonly density: number
  /** How many other things it asks of a device: night, a large screen. A newer Android is not counted, all are new by now. */
  readonly conditions: number
}

export const anyDensity = 0xfffe
export const noDensity = 0xffff

const localeBytes = [8, 9, 10, 11]
const densityBytes = [14, 15]
const androidBytes = [24, 25, 26, 27]
const scriptBegin = 36
const scriptLength = 4

const letters = (bytes: Buffer) => bytes.toString('latin1').replace(/[^A-Za-z]/g, '')

export function readConfig(bytes: Buffer, at: number, within: number): Config {
  const size = bytes.readUInt32LE(at)
  if (size < 16 || at + size > within) throw new RangeError('config')
  const config = bytes.subarray(at, at + size)
  const isPacked = (config.readUInt8(8) & 0x80) !== 0
  const known = [...localeBytes, ...densityBytes, ...androidBytes]
  return {
    language: isPacked ? '*' : letters(config.subarray(8, 10)).toLowerCase(),
    country: letters(config.subarray(10, 12)).toUpperCase(),
    script: size >= scriptBegin + scriptLength ? letters(config.subarray(scriptBegin, scriptBegin + scriptLength)) : '',
    density: config.readUInt16LE(14),
    conditions: config.subarray(4, scriptBegin).filter((byte, index) => byte !== 0 && !known.includes(index + 4))
      .length,
  }
}
