import { defineErrors } from '../kit/errors.ts'

export const templateErrors = defineErrors({
  // Configuration templates (304000-304015)
  nameExists: { code: 304000, status: 409, field: 'name' },
  notFound: { code: 304001, status: 404 },
  tooManyDevices: { code: 304002, status: 400, field: 'sns', values: ['limit'] },
  noDeviceSelected: { code: 304003, status: 400, field: 'sns' },
  wifiIncomplete: { code: 304004, status: 400, field: 'wifiSsid' },
  systemTypeDiffers: { code: 304005, status: 409, field: 'sns', values: ['sn'] },
  applying: { code: 304006, status: 409 },
  itemNotForSystem: { code: 304007, status: 400, values: ['name'] },
  emptyTemplate: { code: 304008, status: 400 },
  timeRequired: { code: 304009, status: 400, field: 'beginTime' },
  timePassed: { code: 304010, status: 400, field: 'beginTime' },
  deviceTaskRunning: { code: 304011, status: 409, values: ['sn'] },
  departmentTaskRunning: { code: 304012, status: 409, values: ['departmentId'] },
  notCancellable: { code: 304013, status: 409, values: ['sn'] },
  notRetryable: { code: 304014, status: 409, values: ['sn'] },
  notApplied: { code: 304015, status: 409, field: 'sns', values: ['sn'] },
})
