import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { ConfigError, isLoopback, readConfig } from './config.ts'

const sentences = (env: NodeJS.ProcessEnv, argv: string[] = []): string[] => {
  try {
    readConfig(env, argv)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.sentences
    throw error
  }
}

test('without any variable the defaults of the table apply', () => {
  expect(readConfig({ PATH: '/usr/bin' })).toEqual({
    host: '127.0.0.1',
    port: 8080,
    mqttPort: 1883,
    dataDir: resolve('data'),
    demo: false,
    captcha: true,
    trustedProxies: [],
    roles: ['api', 'gateway', 'worker'],
    requestsPerMinute: 1_200,
  })
})

test('every variable is read', () => {
  const config = readConfig({
    CAMPANILE_HOST: '0.0.0.0',
    CAMPANILE_PORT: '80',
    CAMPANILE_MQTT_PORT: '8883',
    CAMPANILE_MQTT_CERT: '/etc/tls/devices.crt',
    CAMPANILE_MQTT_KEY: '/etc/tls/devices.key',
    CAMPANILE_DATA: '/srv/campanile',
    CAMPANILE_DATABASE_URL: 'postgres://owner:pw@db.example/campanile',
    CAMPANILE_FILES_URL: 's3://AKID:a%2Fb%2Bc@s3.example:9000/campanile/here?region=eu-west-1&tls=off',
    CAMPANILE_BROKER_URL: 'mqtts://broker.example:8883',
    CAMPANILE_ADMIN_PASSWORD: 'Tower-bell-7',
    CAMPANILE_DEMO: '1',
    CAMPANILE_CAPTCHA: 'off',
    CAMPANILE_TRUSTED_PROXIES: '10.0.0.5, 192.168.0.0/16, fd00::/8',
    CAMPANILE_ROLES: 'worker,api',
    CAMPANILE_REQUESTS_PER_MINUTE: '6000',
  })
  expect(config).toEqual({
    host: '0.0.0.0',
    port: 80,
    mqttPort: 8883,
    mqttTls: { cert: '/etc/tls/devices.crt', key: '/etc/tls/devices.key' },
    dataDir: '/srv/campanile',
    databaseUrl: 'postgres://owner:pw@db.example/campanile',
    filesStore: {
      endpoint: 'http://s3.example:9000',
      region: 'eu-west-1',
      bucket: 'campanile',
      prefix: 'here/',
      accessKeyId: 'AKID',
      secretAccessKey: 'a/b+c',
    },
    brokerUrl: 'mqtts://broker.example:8883',
    adminPassword: 'Tower-bell-7',
    demo: true,
    captcha: false,
    trustedProxies: ['10.0.0.5', '192.168.0.0/16', 'fd00::/8'],
    roles: ['api', 'worker'],
    requestsPerMinute: 6_000,
  })
})

test('--demo is the same as CAMPANILE_DEMO=1', () => {
  expect(readConfig({}, ['--demo']).demo).toBe(true)
})

test('an empty variable counts as absent', () => {
  expect(readConfig({ CAMPANILE_PORT: ' ', CAMPANILE_DATABASE_URL: '' })).toMatchObject({ port: 8080 })
})

test.each([
  ['CAMPANILE_PORT', '80a', 'write a number from 0 to 65535'],
  ['CAMPANILE_PORT', '65536', 'write a number from 0 to 65535'],
  ['CAMPANILE_MQTT_PORT', '-1', 'write a number from 0 to 65535'],
  ['CAMPANILE_REQUESTS_PER_MINUTE', '59', 'write a number from 60 to 1000000'],
  ['CAMPANILE_HOST', 'http://x', 'write an IP address or a host name'],
  ['CAMPANILE_DEMO', 'yes please', 'write 1 or 0'],
  ['CAMPANILE_CAPTCHA', 'maybe', 'write on or off'],
  ['CAMPANILE_TRUSTED_PROXIES', '10.0.0.0/33', 'write addresses or ranges separated by commas'],
  ['CAMPANILE_ROLES', 'api,web', 'write one or more of api, gateway, worker'],
  ['CAMPANILE_DATABASE_URL', 'mysql://x/y', 'write postgres://owner:password@host:5432/database'],
  ['CAMPANILE_FILES_URL', 'https://key:secret@s3.example/bucket', 'write s3://key:secret@host/bucket'],
  ['CAMPANILE_FILES_URL', 's3://key@s3.example/bucket', 'write s3://key:secret@host/bucket'],
  ['CAMPANILE_FILES_URL', 's3://key:secret@s3.example/', 'write s3://key:secret@host/bucket'],
  ['CAMPANILE_FILES_URL', 's3://key:secret@s3.example/bucket?tsl=off', 'write s3://key:secret@host/bucket'],
  ['CAMPANILE_BROKER_URL', 'broker:1883', 'write mqtt://host:1883'],
  ['CAMPANILE_ADMIN_PASSWORD', 'short1!', 'write 8 to 64 characters'],
])('%s=%s is refused with what to write instead', (name, value, advice) => {
  const [sentence, ...others] = sentences({ [name]: value })
  expect(others).toEqual([])
  expect(sentence).toMatch(new RegExp(`^${name} is .*${advice}`))
})

test('a misspelt variable is refused with the right spelling', () => {
  expect(sentences({ CAMPANILE_DATABSE_URL: 'x' })).toEqual([
    expect.stringContaining('CAMPANILE_DATABSE_URL is not a setting; write CAMPANILE_DATABASE_URL instead.'),
  ])
})

test('an unknown option is refused with the known ones', () => {
  expect(sentences({}, ['--dmeo'])).toEqual([expect.stringContaining('--dmeo is not an option; write --demo instead.')])
})

test('all mistakes are told at once', () => {
  expect(sentences({ CAMPANILE_PORT: 'x', CAMPANILE_CAPTCHA: 'x', CAMPANILE_NONSENSE: 'x' }, ['--what'])).toHaveLength(
    4,
  )
})

test('a password inside a wrong value is not repeated', () => {
  const told = sentences({
    CAMPANILE_DATABASE_URL: 'mysql://u:hunter2@h/d',
    CAMPANILE_FILES_URL: 's3://AKID:hunter2@h',
    CAMPANILE_ADMIN_PASSWORD: 'hunter2',
  }).join()
  expect(told).not.toContain('hunter2')
})

test('a well-known administrator password is refused where other machines can reach it', () => {
  const env = { CAMPANILE_ADMIN_PASSWORD: 'Admin@123' }
  const refused = [expect.stringContaining('well-known default')]
  expect(sentences({ ...env, CAMPANILE_HOST: '0.0.0.0' })).toEqual(refused)
  expect(sentences({ ...env, CAMPANILE_TRUSTED_PROXIES: '10.0.0.5' })).toEqual(refused)
  expect(sentences({ CAMPANILE_ADMIN_PASSWORD: 'Harbour-2026!', CAMPANILE_HOST: '0.0.0.0' })).toEqual(refused)
  expect(sentences(env)).toEqual([])
})

test.each([
  ['127.0.0.1', true],
  ['127.8.0.1', true],
  ['::1', true],
  ['localhost', true],
  ['::ffff:127.0.0.1', true],
  ['0.0.0.0', false],
  ['::', false],
  ['192.168.1.4', false],
  ['console.example', false],
])('%s is loopback: %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected)
})

test('a certificate without its key, or the other way round, stops the start', () => {
  for (const name of ['CAMPANILE_MQTT_CERT', 'CAMPANILE_MQTT_KEY'])
    expect(() => readConfig({ [name]: '/etc/tls/devices' })).toThrow('set both or neither')
})
