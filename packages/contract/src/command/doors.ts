/** The addresses by which people give commands: one device, several, a batch, a broker's task, settings. */
export const commandDoors: readonly string[] = [
  '/api/v3/device/basic/command',
  '/api/v3/device/task/create',
  '/api/v3/device/batch/run',
  '/api/v3/device/broker/task/create',
  '/api/v3/device/setting/push',
]
