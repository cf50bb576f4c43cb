import { defineErrors } from '../kit/errors.ts'

export const geofenceErrors = defineErrors({
  // Geofences (302000-302015)
  nameExists: { code: 302000, status: 409, field: 'name' },
  tooManyDevices: { code: 302001, status: 400, field: 'sns', values: ['limit'] },
  notFound: { code: 302002, status: 404 },
  alreadyAssigned: { code: 302003, status: 409, values: ['sn'] },
  notAssigned: { code: 302004, status: 409, values: ['sn'] },
  radiusWrong: { code: 302005, status: 400, field: 'radius', values: ['min', 'max'] },
  frequencyWrong: { code: 302006, status: 400, field: 'frequency', values: ['min', 'max'] },
  shapeWrong: { code: 302007, status: 400, field: 'points', values: ['min', 'max'] },
  nameFixed: { code: 302008, status: 409, field: 'name' },
  noDeviceSelected: { code: 302009, status: 400, field: 'sns' },
})
