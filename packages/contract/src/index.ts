export * from './access/index.ts'
export * from './activation/index.ts'
export * from './alert/index.ts'
export * from './api/index.ts'
export * from './calls/index.ts'
export * from './command/index.ts'
export * from './device/index.ts'
export * from './errors.ts'
export * from './events.ts'
export * from './file/index.ts'
export * from './firmware/index.ts'
export * from './geofence/index.ts'
export * from './health/index.ts'
export * from './home/index.ts'
export * from './identity/index.ts'
export * from './kit/action.ts'
export * from './kit/answer.ts'
export * from './kit/command.ts'
export * from './kit/content.ts'
export * from './kit/device-event.ts'
export * from './kit/endpoint.ts'
export * from './kit/errors.ts'
export {
  type Condition,
  type Faults,
  type Field,
  type FieldKind,
  type FileValue,
  fileName,
  fileValue,
  holdsFile,
  type RefTarget,
  readJsonObject,
} from './kit/field.ts'
export { fieldsForm } from './kit/form.ts'
export { type RowNaming, rowsNamedBy, subjectOf } from './kit/id.ts'
export * from './kit/json.ts'
export * from './kit/machine.ts'
export * from './kit/module.ts'
export * from './kit/need.ts'
export * from './kit/resource.ts'
export * from './kit/schema.ts'
export * from './kit/secret-names.ts'
export * from './kit/version.ts'
export * from './licence/index.ts'
export * from './navigation.ts'
export * from './organisation/index.ts'
export * from './package/index.ts'
export * from './person/index.ts'
export * from './poster/index.ts'
export * from './registry.ts'
export * from './release/index.ts'
export * from './remote/index.ts'
export * from './resource/index.ts'
export * from './rki/index.ts'
export * from './search/index.ts'
export * from './system/index.ts'
export * from './template/index.ts'
