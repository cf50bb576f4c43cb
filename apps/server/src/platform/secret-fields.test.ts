import { configSecrets, isSecretName, resources, secretArgs } from '@campanile/contract'
import { describe, expect, it } from 'vitest'
import { maskSaid, maskSecrets, mayHoldSecret } from './secret-fields.ts'

describe('a value is shown without its secrets', () => {
  it.each([
    ['a field', { password: 'p', user: 'u' }, { password: '***', user: 'u' }],
    [
      'any spelling',
      { 'wifi-password': 'p', WIFI_PASSWORD: 'p', wiFiPassword: 'p' },
      {
        'wifi-password': '***',
        WIFI_PASSWORD: '***',
        wiFiPassword: '***',
      },
    ],
    [
      'a nested field',
      { args: { kiosk: { exitPassword: 'p', mode: 'single' } } },
      {
        args: { kiosk: { exitPassword: '***', mode: 'single' } },
      },
    ],
    ['a list', [{ token: 'a' }, { tokens: ['a', 'b'] }], [{ token: '***' }, { tokens: ['***', '***'] }]],
    ['a secret that is an object', { secret: { value: 'x' } }, { secret: '***' }],
    ['a secret that is a number', { pin: 123456, exitPin: 1 }, { pin: '***', exitPin: '***' }],
    [
      'a code as text',
      { serverUrl: 'https://a.example', code: 'AB12' },
      { serverUrl: 'https://a.example', code: '***' },
    ],
    [
      'a name beside its value',
      [
        { item: 'wifiPassword', oldValue: 'a', newValue: 'b' },
        { key: 'pin', value: '1' },
      ],
      [
        { item: 'wifiPassword', oldValue: '***', newValue: '***' },
        { key: 'pin', value: '***' },
      ],
    ],
    ['JSON inside text', { payload: '{"a":{"password":"p"},"b":1}' }, { payload: '{"a":{"password":"***"},"b":1}' }],
    [
      'JSON inside JSON inside text',
      JSON.stringify({ payload: JSON.stringify({ pin: 'p' }) }),
      JSON.stringify({
        payload: JSON.stringify({ pin: '***' }),
      }),
    ],
    ['JSON among words', 'sent {"password": "a\\"b", "n": 1} twice', 'sent {"password": "***", "n": 1} twice'],
    ['JSON that was cut off', '{"n":1,"password":"secr', '{"n":1,"password":"***"'],
    ['a query', 'https://a.example/x?token=abc&n=1', 'https://a.example/x?token=***&n=1'],
    ['an address with a password', 'https://me:pw@a.example/', 'https://me:***@a.example/'],
    [
      'a private key',
      {
        cert: 'a -----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- b',
        cut: '-----BEGIN PRIVATE KEY-----\nM',
      },
      { cert: 'a *** b', cut: '***' },
    ],
    [
      'names in other languages and with a number',
      {
        PassWord_1: 'p',
        密码: 'p',
        wifi密碼: 'p',
        mot_de_passe: 'p',
        Passwort: 'p',
        'exit-pin-2': 'p',
        contraseña: 'p',
      },
      {
        PassWord_1: '***',
        密码: '***',
        wifi密碼: '***',
        mot_de_passe: '***',
        Passwort: '***',
        'exit-pin-2': '***',
        contraseña: '***',
      },
    ],
    [
      'a command line in words',
      ['run', '--password', 'X', '--times', '3'],
      ['run', '--password', '***', '--times', '3'],
    ],
    ['a command line', 'run --password X --times 3', 'run --password *** --times 3'],
    ['running text', 'the Wi-Fi password: X, then 密码：Y', 'the Wi-Fi password: ***, then 密码：***'],
    ['a name that is the value of another', 'wrong:password : X', 'wrong:password : ***'],
    ['the line of a label', 'SN-1;ABCD2345;;\nSN-2;ABCD2346;001122334455;', 'SN-1;***;;\nSN-2;***;001122334455;'],
  ])('%s', (_, value, shown) => {
    expect(maskSecrets(value)).toEqual(shown)
    expect(maskSecrets(shown)).toEqual(shown)
  })

  it.each([
    { signSecret: true, password: null, token: '', homeKey: false },
    { code: 900, passwordProfile: 'admin', passwordMaxAgeDays: 90, deviceKeyStatus: 1, publicKey: 'x', spin: 1 },
    { key: 'volume', value: 3 },
    { at: new Date(0), text: 'hello; world;', list: [1, 'two', null] },
    '{ "volume" : 3 }',
    '12:30',
    'error code: 5, no such key: volume',
    undefined,
    7,
  ])('and is left as it is where there is none: %j', (value) => {
    expect(maskSecrets(value)).toEqual(value)
  })

  it('however deep it is and whatever its fields are called', () => {
    let deep: unknown = { password: 'needle' }
    for (let i = 0; i < 5000; i++) deep = i % 2 ? [deep] : { a: deep }
    expect(JSON.stringify(maskSecrets(deep))).not.toContain('needle')
    const odd = JSON.parse('{"__proto__":{"password":"needle"},"constructor":{"pin":"needle"}}') as unknown
    expect(JSON.stringify(maskSecrets(odd))).not.toContain('needle')
  })

  it('for every name that the contract declares a secret', () => {
    const declared = [
      ...resources.flatMap(({ fields }) => Object.keys(fields).filter((name) => fields[name]?.kind === 'secret')),
      ...configSecrets,
      ...secretArgs,
    ]
    expect(declared.filter((name) => !isSecretName(name, 'text'))).toEqual([])
  })
})

describe('what a device says', () => {
  it('is stored without its secrets, and keeps the key that was pressed and the code of an error', () => {
    const said = { password: 'p', key: 'volumeUp', code: 'E42', note: 'password=p' }
    expect(maskSaid(said)).toEqual({ password: '***', key: 'volumeUp', code: 'E42', note: 'password=***' })
  })

  it('is looked at wherever a name of a secret may be', () => {
    const names = [
      ...configSecrets,
      ...secretArgs,
      'PassWord_1',
      '密码',
      'mot_de_passe',
      'exitPin',
      'mdp',
      'pw',
      'otpauth',
    ]
    expect(names.filter((name) => !mayHoldSecret(`{"${name}":"x"}`))).toEqual([])
    expect(mayHoldSecret('{"type":"door","level":"info","text":"opened by hand"}')).toBe(false)
  })
})
