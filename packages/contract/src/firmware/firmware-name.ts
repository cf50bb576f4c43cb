/** The parts of a firmware file's name, in their order: `T30_4G_10_3.2.0_1.img`. */
export const firmwareNameParts = ['model', 'wireless', 'sv', 'fv', 'pv'] as const
export type FirmwareNamePart = (typeof firmwareNameParts)[number]

export const firmwareEndings = ['img', 'zip'] as const
export type FirmwareEnding = (typeof firmwareEndings)[number]

/** Model, wireless module, system version, firmware version, and `pv`, which is shown as it is. */
export type FirmwareName = Readonly<Record<FirmwareNamePart, string>> & { readonly ending: FirmwareEnding }

/** What is wrong with a name, and with which part of it. */
export type FirmwareNameFault =
  | { readonly part: 'name'; readonly fault: 'tooLong' | 'isPath' }
  | { readonly part: 'ending'; readonly fault: 'unknown' }
  | {
      readonly part: FirmwareNamePart
      /** `more`: further parts follow the last one. */
      readonly fault: 'missing' | 'empty' | 'tooLong' | 'characters' | 'more'
    }

const longestName = 255
const longestParts: Readonly<Record<FirmwareNamePart, number>> = { model: 64, wireless: 64, sv: 128, fv: 128, pv: 128 }

/** Spaces at the ends and signs nobody sees make two names that look the same. */
const isPlain = (part: string) => part === part.trim() && !/[\p{C}\p{Zl}\p{Zp}]/u.test(part)

function faultOf(name: FirmwareNamePart, part: string | undefined): FirmwareNameFault | undefined {
  if (part === undefined) return { part: name, fault: 'missing' }
  if (part === '') return { part: name, fault: 'empty' }
  if (part.length > longestParts[name]) return { part: name, fault: 'tooLong' }
  return isPlain(part) ? undefined : { part: name, fault: 'characters' }
}

/** Reads the name of a firmware file, or says which part of it is wrong: the first one from the left. */
export function readFirmwareName(
  fileName: string,
): { readonly ok: true; readonly name: FirmwareName } | ({ readonly ok: false } & FirmwareNameFault) {
  if (fileName.length > longestName) return { ok: false, part: 'name', fault: 'tooLong' }
  if (/[/\\]/.test(fileName)) return { ok: false, part: 'name', fault: 'isPath' }
  const dot = fileName.lastIndexOf('.')
  const ending = firmwareEndings.find((known) => known === fileName.slice(dot + 1).toLowerCase())
  if (dot < 0 || !ending) return { ok: false, part: 'ending', fault: 'unknown' }
  const parts = fileName.slice(0, dot).split('_')
  for (const [index, name] of firmwareNameParts.entries()) {
    const fault = faultOf(name, parts[index])
    if (fault) return { ok: false, ...fault }
  }
  if (parts.length > firmwareNameParts.length) return { ok: false, part: 'pv', fault: 'more' }
  const [model = '', wireless = '', sv = '', fv = '', pv = ''] = parts
  return { ok: true, name: { model, wireless, sv, fv, pv, ending } }
}
