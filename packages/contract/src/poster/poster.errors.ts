import { defineErrors } from '../kit/errors.ts'

export const posterErrors = defineErrors({
  // Posters and promotion text (301000-301016)
  formatWrong: { code: 301000, status: 400, field: 'file' },
  tooLarge: { code: 301001, status: 413, field: 'file' },
  resolutionWrong: { code: 301002, status: 400, field: 'file' },
  validityPassed: { code: 301003, status: 400, field: 'validity' },
  severalIdentities: { code: 301004, status: 409 },
  noDeviceSelected: { code: 301005, status: 400, field: 'sns' },
  notFound: { code: 301006, status: 404 },
  alreadyReleased: { code: 301007, status: 409 },
  notReleased: { code: 301008, status: 409 },
  tooManyDevices: { code: 301009, status: 400, field: 'sns', values: ['limit'] },
  timeRequired: { code: 301010, status: 400, field: 'beginTime' },
  timePassed: { code: 301011, status: 400, field: 'beginTime' },
  deviceTaskRunning: { code: 301012, status: 409, values: ['sn'] },
  departmentTaskRunning: { code: 301013, status: 409, values: ['departmentId'] },
  notCancellable: { code: 301014, status: 409, values: ['sn'] },
  notRetryable: { code: 301015, status: 409, values: ['sn'] },
  categoryDiffers: { code: 301016, status: 409, values: ['sn'] },
})
