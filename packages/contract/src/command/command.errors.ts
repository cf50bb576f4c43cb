import { defineErrors } from '../kit/errors.ts'

export const commandErrors = defineErrors({
  // Commands and device tasks (93002-93035, shared with remote)
  deviceHeld: { code: 93010, status: 409, values: ['sn'] },
  notSupported: { code: 93011, status: 409, values: ['sn'] },
  noAnswer: { code: 93012, status: 503, values: ['sn'] },
  refusedByDevice: { code: 93013, status: 409, values: ['sn'] },
  taskNotFound: { code: 93014, status: 404 },
  taskEnded: { code: 93015, status: 409 },
  nothingToRetry: { code: 93016, status: 409 },
  noDeviceSelected: { code: 93017, status: 400, field: 'sns' },
  tooManyDevices: { code: 93018, status: 400, field: 'sns', values: ['limit'] },
  serverUrlRefused: { code: 93019, status: 400, field: 'serverUrl' },
  payloadInvalid: { code: 93020, status: 400, field: 'payload' },
  deviceKeyRequired: { code: 93021, status: 409, values: ['sn'] },
  restartRunning: { code: 93022, status: 409, values: ['sn'] },
  powerTimesTooClose: { code: 93023, status: 400, field: 'powerOnTime', values: ['minutes'] },
  uploadRefused: { code: 93024, status: 403 },
  uploadNotWanted: { code: 93025, status: 409 },
  uninstallRunning: { code: 93026, status: 409, values: ['sn'] },
  lockRunning: { code: 93027, status: 409, values: ['sn'] },
  geofenceRunning: { code: 93028, status: 409, values: ['sn'] },
  appEnableRunning: { code: 93029, status: 409, values: ['sn'] },
  kioskRunning: { code: 93030, status: 409, values: ['sn'] },
  notPicture: { code: 93031, status: 400 },
  parametersRunning: { code: 93034, status: 409, values: ['sn'] },
  waitFiveMinutes: { code: 93035, status: 429, values: ['sn'] },
})
