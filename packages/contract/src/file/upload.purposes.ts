import type { ErrorSpec } from '../kit/index.ts'
import { packageErrors } from '../package/package.errors.ts'
import { posterErrors } from '../poster/poster.errors.ts'
import { posterMaxBytes, posterSizes } from '../poster/poster.picture.ts'
import { releaseErrors } from '../release/release.errors.ts'

/** What people may send in parts, and whom it is for. A room that takes files adds its line. */
export interface UploadPurpose {
  readonly perm: string
  readonly maxBytes: number
  /** How many may be chosen at once. */
  readonly maxFiles: number
  /** What a name may end with, in small letters with its dot; any where there are none. */
  readonly extensions: readonly string[]
  /** Answered where a name ends otherwise. */
  readonly refusal?: ErrorSpec
  /** Answered where it weighs more. */
  readonly tooLarge?: ErrorSpec
  /** A picture (jpeg or png) of one of these widths and heights, and what is answered for any other. */
  readonly picture?: { readonly sizes: readonly (readonly [number, number])[]; readonly refusal: ErrorSpec }
}

const gibibyte = 1024 ** 3

export const uploadPurposes = {
  resource: { perm: 'custom:upload:add', maxBytes: 2 * gibibyte, maxFiles: 10, extensions: [] },
  package: {
    perm: 'iot:apk:add',
    maxBytes: 2 * gibibyte,
    maxFiles: 1,
    extensions: ['.apk', '.zip'],
    refusal: packageErrors.fileTypeWrong,
  },
  firmware: {
    perm: 'iot:ota:add',
    maxBytes: 4 * gibibyte,
    maxFiles: 10,
    extensions: ['.img', '.zip'],
    refusal: releaseErrors.fileTypeWrong,
  },
  poster: {
    perm: 'slider:list:add',
    maxBytes: posterMaxBytes,
    maxFiles: 1,
    extensions: ['.jpg', '.png'],
    refusal: posterErrors.formatWrong,
    tooLarge: posterErrors.tooLarge,
    picture: { sizes: Object.values(posterSizes), refusal: posterErrors.resolutionWrong },
  },
} as const satisfies Record<string, UploadPurpose>

export type UploadPurposeName = keyof typeof uploadPurposes
export const uploadPurposeNames = Object.keys(uploadPurposes) as [UploadPurposeName, ...UploadPurposeName[]]

/** What is declared of a purpose; nothing of one that is not ours. */
export const uploadPurpose = (name: string): UploadPurpose | undefined =>
  Object.hasOwn(uploadPurposes, name) ? uploadPurposes[name as UploadPurposeName] : undefined

/** Whether a name ends as its purpose wants it. */
export const endsAsWanted = ({ extensions }: Pick<UploadPurpose, 'extensions'>, name: string): boolean =>
  extensions.length === 0 || extensions.some((ending) => name.toLowerCase().endsWith(ending))
