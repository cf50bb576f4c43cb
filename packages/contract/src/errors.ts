import { activationErrors } from './activation/activation.errors.ts'
import { alertErrors } from './alert/alert.errors.ts'
import { commonErrors } from './api/common.errors.ts'
import { errorRanges } from './api/ranges.ts'
import { spreadsheetErrors } from './api/spreadsheet.errors.ts'
import { callsErrors } from './calls/calls.errors.ts'
import { commandErrors } from './command/command.errors.ts'
import { deviceErrors } from './device/device.errors.ts'
import { fileErrors } from './file/file.errors.ts'
import { geofenceErrors } from './geofence/geofence.errors.ts'
import { healthErrors } from './health/health.errors.ts'
import { identityErrors } from './identity/identity.errors.ts'
import { type ErrorData, type ErrorSpec, importFeedback, partialSuccess } from './kit/errors.ts'
import { licenceErrors } from './licence/licence.errors.ts'
import { organisationErrors } from './organisation/organisation.errors.ts'
import { packageErrors } from './package/package.errors.ts'
import { personErrors } from './person/person.errors.ts'
import { posterErrors } from './poster/poster.errors.ts'
import { releaseErrors } from './release/release.errors.ts'
import { remoteErrors } from './remote/remote.errors.ts'
import { resourceErrors } from './resource/resource.errors.ts'
import { rkiErrors } from './rki/rki.errors.ts'
import { systemErrors } from './system/system.errors.ts'
import { templateErrors } from './template/template.errors.ts'

/** Every error there is, by the word of the room that answers it. */
export const errorCatalogue = {
  api: commonErrors,
  spreadsheet: spreadsheetErrors,
  identity: identityErrors,
  organisation: organisationErrors,
  person: personErrors,
  device: deviceErrors,
  file: fileErrors,
  command: commandErrors,
  package: packageErrors,
  activation: activationErrors,
  alert: alertErrors,
  calls: callsErrors,
  geofence: geofenceErrors,
  health: healthErrors,
  licence: licenceErrors,
  poster: posterErrors,
  release: releaseErrors,
  remote: remoteErrors,
  resource: resourceErrors,
  rki: rkiErrors,
  system: systemErrors,
  template: templateErrors,
} as const satisfies Record<string, Record<string, ErrorSpec>>

const specs: readonly ErrorSpec[] = Object.values(errorCatalogue).flatMap((errors) => Object.values(errors))

export const errorByCode: ReadonlyMap<number, ErrorSpec> = new Map(specs.map((spec) => [spec.code, spec]))

/** Answers that are no errors and still say something. */
export const notices: readonly number[] = [partialSuccess, importFeedback]

/**
 * The key of the text for a code. Zero and no code at all mean that the service is busy (behaviour: api.no-code); a code of a range that
 * has no text of its own gets the range's.
 */
export const textKeyOf = (code: number | undefined, data: ErrorData = {}): string => {
  if (!code) return `error.${commonErrors.serviceBusy.code}`
  const spec = errorByCode.get(code)
  if (spec?.variant && data[spec.variant] !== undefined) return `error.${code}_${spec.variant}`
  if (spec || notices.includes(code)) return `error.${code}`
  const range = errorRanges.find(([first, last]) => code >= first && code <= last)
  return range ? `error.range.${range[0]}` : 'error.undefined'
}
