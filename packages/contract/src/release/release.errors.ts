import { defineErrors } from '../kit/errors.ts'

export const releaseErrors = defineErrors({
  // Firmware packages and their releases (63000-63061)
  fileTypeWrong: { code: 63000, status: 400, field: 'file' },
  packageExists: { code: 63001, status: 409, field: 'uploadId', values: ['name'] },
  pageSizeWrong: { code: 63002, status: 400, field: 'pageSize' },
  tooManyDevices: { code: 63003, status: 400, field: 'sns', values: ['limit'] },
  permittedListTooLong: { code: 63004, status: 400, field: 'permitEids', values: ['limit'] },
  noPermission: { code: 63005, status: 403, field: 'sns', values: ['sn'] },
  notFound: { code: 63006, status: 404 },
  offlineOneOnly: { code: 63007, status: 400, field: 'sns' },
  severalOrganisations: { code: 63008, status: 400, field: 'sns' },
  fileNameWrong: { code: 63009, status: 400, field: 'uploadId', values: ['part'] },
  modelDiffers: { code: 63010, status: 409, field: 'model' },
  deviceModelDiffers: { code: 63011, status: 409, field: 'sns', values: ['sn'] },
  noDeviceSelected: { code: 63012, status: 400, field: 'sns' },
  timeRequired: { code: 63013, status: 400, field: 'time' },
  timePassed: { code: 63014, status: 400, field: 'time' },
  inRelease: { code: 63015, status: 409 },
  notCancellable: { code: 63016, status: 409, values: ['sn'] },
  notRetryable: { code: 63017, status: 409, values: ['sn'] },
  baseDiffers: { code: 63018, status: 409, field: 'sns', values: ['sn'] },
  manifestInvalid: { code: 63019, status: 400, field: 'file' },
  deviceTaskRunning: { code: 63043, status: 409, values: ['sn'] },
  departmentTaskRunning: { code: 63044, status: 409 },
  alreadyOnVersion: { code: 63045, status: 409, field: 'sns', values: ['sn'] },
  olderVersion: { code: 63046, status: 409, field: 'sns', values: ['sn'] },
})
