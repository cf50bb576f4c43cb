import { describe, expect, it } from 'vitest'
import { departmentAfterColon, errorRanges, serialAfterColon } from './api/ranges.ts'
import { errorByCode, errorCatalogue, textKeyOf } from './errors.ts'
import type { ErrorSpec } from './kit/errors.ts'
import type { Fields } from './kit/resource.ts'
import { resources } from './registry.ts'

const declared = Object.entries(errorCatalogue).flatMap(([word, errors]) =>
  Object.entries<ErrorSpec>(errors).map(([name, spec]) => ({ name: `${word}.${name}`, spec })),
)

describe('the catalogue', () => {
  it('declares no code twice', () => {
    const codes = declared.map(({ spec }) => spec.code)
    expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([])
    expect(errorByCode.size).toBe(codes.length)
  })

  it('stays inside the ranges of the specification', () => {
    const outside = declared.filter(
      ({ spec }) => !errorRanges.some(([first, last]) => spec.code >= first && spec.code <= last),
    )
    expect(outside).toEqual([])
  })

  it('has ranges in order that do not overlap', () => {
    const bounds = errorRanges.flat()
    expect(bounds).toEqual([...bounds].sort((a, b) => a - b))
  })

  it('answers only statuses that tell proxies the truth', () => {
    const allowed = [400, 401, 403, 404, 409, 413, 429, 500, 503]
    expect(declared.filter(({ spec }) => !allowed.includes(spec.status))).toEqual([])
  })

  it('ends a session only with codes that mean it', () => {
    const ending = declared.filter(({ spec }) => spec.status === 401).map(({ spec }) => spec.code)
    expect(ending).toEqual([100006, 100012, 100015, 100016, 100027])
  })

  it.each([
    [21001, 'identity.wrongCaptcha'],
    [21014, 'identity.accountNowLocked'],
    [21018, 'identity.twoFactorNotForSuper'],
    [21019, 'identity.outsideValidity'],
    [21051, 'organisation.nameExists'],
    [21062, 'organisation.movedUnderItself'],
    [21157, 'identity.menuBuiltIn'],
    [21203, 'identity.roleNotOwn'],
    [21251, 'identity.accountTaken'],
    [21270, 'identity.userTypeFixed'],
    [30104, 'device.offline'],
    [53088, 'package.departmentTaskRunning'],
    [60001, 'rki.depthExceeded'],
    [93035, 'command.waitFiveMinutes'],
    [100013, 'api.noPermission'],
    [100026, 'api.forbiddenCharacters'],
    [137050, 'calls.deviceOffline'],
    [137104, 'calls.amountOverLimit'],
    [300001, 'resource.nameExists'],
    [302000, 'geofence.nameExists'],
    [304000, 'template.nameExists'],
  ])('%i is %s', (code, name) => {
    expect(declared.find(({ spec }) => spec.code === code)?.name).toBe(name)
  })

  it('knows every code a resource names, and the kit can fill its text', () => {
    const faultsOf = (fields: Fields) => Object.values(fields).flatMap((field) => Object.values({ ...field.faults }))
    const ofFields = resources.flatMap((resource) => [
      ...faultsOf(resource.fields),
      ...Object.values(resource.actions).flatMap((action) => faultsOf(action.fields ?? {})),
    ])
    const ofActions = resources.flatMap((resource) =>
      Object.values(resource.actions ?? {}).flatMap((action) => action.errors ?? []),
    )
    const named = [...ofFields, ...ofActions]
    expect(named.filter((code) => !errorByCode.has(code))).toEqual([])
    // The kit throws these itself and knows no more than the field.
    const unfillable = ofFields.filter((code) => errorByCode.get(code)?.values)
    expect(unfillable).toEqual([])
  })

  it('gives every message that ends with a serial number the serial number', () => {
    expect(serialAfterColon.map((code) => errorByCode.get(code)?.values)).toEqual(serialAfterColon.map(() => ['sn']))
    expect(departmentAfterColon.map((code) => errorByCode.get(code)?.values)).toEqual([['departmentId']])
  })
})

describe('the key of a text', () => {
  it.each([
    [21001, {}, 'error.21001'],
    [21002, {}, 'error.21002'],
    [21002, { remaining: 2 }, 'error.21002_remaining'],
    [21002, { remaining: 0 }, 'error.21002_remaining'],
    [100002, { field: 'name' }, 'error.100002_field'],
    [100028, {}, 'error.100028'],
    [30000, {}, 'error.30000'],
    [207005, {}, 'error.range.207000'],
    [53093, {}, 'error.range.53000'],
    [53094, {}, 'error.undefined'],
    [0, {}, 'error.100004'],
    [undefined, {}, 'error.100004'],
    [7, {}, 'error.undefined'],
  ])('of code %s with %j is %s', (code, data, key) => {
    expect(textKeyOf(code, data)).toBe(key)
  })
})
