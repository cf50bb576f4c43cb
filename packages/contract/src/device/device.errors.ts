import { defineErrors } from '../kit/errors.ts'

export const deviceErrors = defineErrors({
  // Devices (30101-30104)
  empty: { code: 30101, status: 400, field: 'sn' },
  exists: { code: 30102, status: 409, field: 'sn', values: ['sn'] },
  notFound: { code: 30103, status: 404, values: ['sn'] },
  offline: { code: 30104, status: 409, values: ['sn'] },
  // Import, groups and transfer (204001-204057, shared with activation)
  snEmpty: { code: 204001, status: 400, field: 'sn' },
  snRepeated: { code: 204002, status: 400, field: 'sn', values: ['sn'] },
  groupOneType: { code: 204008, status: 409, field: 'deviceType', values: ['sn'] },
  inAnotherGroup: { code: 204009, status: 409, values: ['sn', 'group'] },
  snWrong: { code: 204010, status: 400, field: 'sn' },
  batchNumberEmpty: { code: 204011, status: 400, field: 'batchNumber' },
  typeUnknown: { code: 204012, status: 400, field: 'deviceType' },
  departmentUnknown: { code: 204013, status: 400, field: 'departmentId' },
  ownedByAnother: { code: 204014, status: 409, field: 'sn', values: ['sn'] },
  groupNotFound: { code: 204018, status: 404 },
  groupNameExists: { code: 204019, status: 409, field: 'name' },
  groupInUse: { code: 204020, status: 409 },
  noDeviceSelected: { code: 204021, status: 400, field: 'sns' },
  transferTargetMissing: { code: 204022, status: 400, field: 'departmentId' },
  transferTargetSame: { code: 204023, status: 409, field: 'departmentId' },
  deviceBusy: { code: 204024, status: 409, values: ['sn'] },
  batchNumberWrong: { code: 204027, status: 400, field: 'batchNumber' },
  notBound: { code: 204028, status: 409, values: ['sn'] },
  tooManyForeign: { code: 204026, status: 403, field: 'sn', values: ['limit'] },
  importRunning: { code: 204025, status: 409 },
})
