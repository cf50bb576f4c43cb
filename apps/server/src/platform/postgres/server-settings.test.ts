import { expect, test } from 'vitest'
import { serverSettings } from './server-settings.ts'

const gibibyte = 1024 ** 3

test.each([
  [0.5, '32MB'],
  [4, '128MB'],
  [24, '768MB'],
  [256, '2048MB'],
])('on %s GiB shared_buffers is %s', (memory, expected) => {
  expect(serverSettings(memory * gibibyte).shared_buffers).toBe(expected)
})

test('nothing listens on the network and a commit waits for the disk', () => {
  expect(serverSettings()).toMatchObject({
    listen_addresses: '',
    unix_socket_permissions: '0700',
    synchronous_commit: 'on',
    password_encryption: 'scram-sha-256',
  })
})
