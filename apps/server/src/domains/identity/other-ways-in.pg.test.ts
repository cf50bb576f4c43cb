import { createHmac, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type ConfigValues,
  configSecrets,
  confirmScanLogin,
  getAuthInfo,
  loginWithSms,
  pollScanLogin,
  refreshSession,
  sendSmsCode,
  startScanLogin,
} from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addDepartment, addRole, addUser, startTestApp, type TestApp } from '../../test/app.ts'

let test: TestApp
const at = { root: 0, enterprise: 0, branch: 0, other: 0, rootUser: 0 }

beforeAll(async () => {
  test = await startTestApp()
  const { db } = test
  at.root = await addDepartment(db, { name: 'Platform' })
  at.enterprise = await addDepartment(db, { name: 'Enterprise', parentId: at.root, type: 1 })
  at.branch = await addDepartment(db, { name: 'Branch', parentId: at.enterprise, type: 0 })
  at.other = await addDepartment(db, { name: 'Other', parentId: at.root, type: 1 })
  const roleId = await addRole(db, { departmentId: at.enterprise, permissions: ['org:list:list'] })
  at.rootUser = await addUser(db, { username: 'root', departmentId: at.root, type: 0 })
  await addUser(db, { username: 'clerk', departmentId: at.branch, roleIds: [roleId] })
  await addUser(db, { username: 'stranger', departmentId: at.other, roleIds: [roleId] })
})
afterAll(() => test.stop())
beforeEach(() => sql`delete from rate_limit`.execute(test.db))

const configure = async (values: Partial<ConfigValues>) => {
  await sql`delete from system_config`.execute(test.db)
  await test.settings.save(test.db, values, at.rootUser)
  test.clock.advance(2)
}
const isOpen = async (token: unknown) => (await test.call(refreshSession, {}, { token: String(token) })).code === 100000

describe('a token of the trusted external system', () => {
  const secret = 'a shared secret of more than 32 characters'
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const seconds = () => Math.floor(test.clock.now().getTime() / 1000)
  const claims = (changes: Record<string, unknown> = {}) => ({
    iss: 'https://portal.example',
    aud: 'campanile',
    sub: 'clerk',
    iat: seconds(),
    exp: seconds() + 60,
    jti: randomUUID(),
    ...changes,
  })
  const hs256 = (body: unknown, head: unknown = { alg: 'HS256', typ: 'JWT' }, key = secret) => {
    const signed = `${encode(head)}.${encode(body)}`
    return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
  }
  const trusting = (key: string = secret) =>
    configure({
      trustedIssuer: 'https://portal.example',
      trustedIssuerKey: key,
      trustedIssuerDepartmentId: at.enterprise,
    })
  const send = (token: string) => test.call(getAuthInfo, { token })

  it('signs its subject in, once', async () => {
    await trusting()
    const token = hs256(claims())
    const first = await send(token)
    expect(await isOpen(first.data.token)).toBe(true)
    expect(first.data.user).toMatchObject({ username: 'clerk' })
    expect(await send(token)).toMatchObject({ status: 400, code: 21013 })
  })

  it('is checked with a key that rests sealed, also after a restart, and not under another installation’s keys', async () => {
    expect(configSecrets).toContain('trustedIssuerKey')
    const secrets = Object.fromEntries(configSecrets.map((name) => [name, `${secret} ${name}`]))
    await configure({
      ...secrets,
      trustedIssuer: 'https://portal.example',
      trustedIssuerDepartmentId: at.enterprise,
    })
    const { rows } = await sql<{ key: string; value: string }>`select key, value from system_config
      where key = any(${configSecrets})`.execute(test.db)
    expect(rows).toHaveLength(configSecrets.length)
    for (const { key, value } of rows) {
      expect([key, value]).toEqual([key, expect.stringMatching(/^v1\./)])
      expect(value).not.toContain(secrets[key])
    }
    const signed = () => hs256(claims(), undefined, secrets.trustedIssuerKey)
    const { database, clock } = test
    const again = await startTestApp({ database, clock, secrets: test.secrets })
    expect((await again.call(getAuthInfo, { token: signed() })).code).toBe(100000)
    await again.close()
    const elsewhere = await startTestApp({ database, clock })
    expect((await elsewhere.call(getAuthInfo, { token: signed() })).code).toBe(21010)
    await elsewhere.close()
  })

  it('is accepted once however many bring it at once', async () => {
    await trusting()
    const token = hs256(claims())
    const codes = (await Promise.all(Array.from({ length: 20 }, () => send(token)))).map(({ code }) => code)
    expect(codes.filter((code) => code === 100000)).toHaveLength(1)
  })

  it('may be signed with an Ed25519 key instead', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
    await trusting(pem)
    const signed = `${encode({ alg: 'EdDSA' })}.${encode(claims())}`
    const signature = sign(null, Buffer.from(signed), privateKey).toString('base64url')
    expect((await send(`${signed}.${signature}`)).code).toBe(100000)
    // The public key taken for a shared secret
    expect((await send(hs256(claims(), undefined, pem))).code).toBe(21011)
  })

  it('is refused unsigned, wrongly signed, for others, too old, too long, and not yet valid', async () => {
    await trusting()
    const unsigned = `${encode({ alg: 'none' })}.${encode(claims())}.`
    const wrong: [string, number][] = [
      [unsigned, 21011],
      [`${unsigned}AAAA`, 21011],
      [hs256(claims(), { alg: 'none' }), 21011],
      [hs256(claims(), { alg: 'HS512' }), 21011],
      [hs256(claims(), { alg: 'HS256', crit: ['b64'] }), 21011],
      [hs256(claims(), undefined, 'another shared secret of 32 characters'), 21011],
      [hs256(claims({ iss: 'https://evil.example' })), 21011],
      [hs256(claims({ aud: 'elsewhere' })), 21011],
      [hs256(claims({ aud: undefined })), 21011],
      [hs256(claims({ jti: undefined })), 21011],
      [hs256(claims({ exp: undefined })), 21011],
      [hs256(claims({ exp: seconds() })), 21013],
      [hs256(claims({ exp: seconds() + 3600 })), 21013],
      [hs256(claims({ iat: seconds() - 600, exp: seconds() + 30 })), 21013],
      [hs256(claims({ iat: seconds() + 60 })), 21013],
      [hs256(claims({ nbf: seconds() + 60 })), 21013],
      ['', 21011],
      ['a.b.c', 21011],
      ['a'.repeat(4096), 21011],
    ]
    for (const [token, code] of wrong)
      expect([token.slice(0, 300), (await send(token)).code]).toEqual([token.slice(0, 300), code])
  })

  it('speaks for its own organisation only, and never for the super administrator', async () => {
    await trusting()
    expect((await send(hs256(claims({ sub: 'stranger' })))).code).toBe(21012)
    expect((await send(hs256(claims({ sub: 'nobody' })))).code).toBe(21012)
    expect((await send(hs256(claims({ sub: 'root' })))).code).toBe(21012)
    await configure({
      trustedIssuer: 'https://portal.example',
      trustedIssuerKey: secret,
      trustedIssuerDepartmentId: at.root,
    })
    expect((await send(hs256(claims({ sub: 'root' })))).code).toBe(21012)
    expect((await send(hs256(claims({ sub: 'stranger' })))).code).toBe(100000)
  })

  it('is refused where nothing is set up, and where the secret is too short to be one', async () => {
    await configure({})
    expect(await send(hs256(claims()))).toMatchObject({ status: 409, code: 21010 })
    await trusting('short')
    expect((await send(hs256(claims(), undefined, 'short'))).code).toBe(21010)
  })
})

describe('a code by message', () => {
  const mobile = '13800138000'
  const sent: { mobile: string; code: string }[] = []
  let gateway: Server
  let url = ''

  beforeAll(async () => {
    gateway = createServer((request, response) => {
      let text = ''
      request.on('data', (chunk) => {
        text += chunk
      })
      request.on('end', () => {
        sent.push(JSON.parse(text))
        response.end('{}')
      })
    })
    await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/send`
    await sql`update sys_user set mobile = ${mobile}, confirmed_mobile = ${mobile} where username = 'clerk'`.execute(
      test.db,
    )
  })
  afterAll(() => {
    gateway.close()
  })
  beforeEach(async () => {
    sent.length = 0
    await sql`update sys_user set failed_count = 0, locked_until = null`.execute(test.db)
    await configure({ smsWebhook: url, allowPrivateServer: true })
  })

  const ask = async (number = mobile) => {
    const answer = await test.call(sendSmsCode, { mobile: number })
    for (let waited = 0; number === mobile && sent.length === 0 && waited < 100; waited++)
      await new Promise((resolve) => setTimeout(resolve, 20))
    return answer
  }

  it('signs its owner in, once', async () => {
    expect((await ask()).code).toBe(100000)
    const code = sent[0]?.code ?? ''
    expect(sent).toEqual([{ mobile, code: expect.stringMatching(/^\d{6}$/) }])
    const done = await test.call(loginWithSms, { mobile, code })
    expect(await isOpen(done.data.token)).toBe(true)
    expect((await test.call(loginWithSms, { mobile, code })).code).toBe(21002)
  })

  it('goes to no number nobody has, and says so to nobody', async () => {
    const known = await ask()
    const unknown = await test.call(sendSmsCode, { mobile: '13900139000' })
    expect(unknown).toEqual(known)
    expect(sent).toHaveLength(1)
    expect((await test.call(loginWithSms, { mobile: '13900139000', code: '123456' })).code).toBe(21002)
  })

  it('is worth nothing after five wrong ones, which the password does not suffer for', async () => {
    const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
    await ask()
    const first = sent[0]?.code ?? ''
    for (let n = 0; n < 4; n++) expect((await test.call(loginWithSms, { mobile, code: wrong(first) })).code).toBe(21002)
    expect((await test.call(loginWithSms, { mobile, code: first })).code).toBe(100000)
    test.clock.advance(61)
    sent.length = 0
    await ask()
    const second = sent[0]?.code ?? ''
    for (let n = 0; n < 5; n++) await test.call(loginWithSms, { mobile, code: wrong(second) })
    expect((await test.call(loginWithSms, { mobile, code: second })).code).toBe(21002)
    expect((await test.signIn('clerk')).token).toBeDefined()
  })

  it('does not open an account that wrong passwords have locked', async () => {
    await ask()
    await sql`update sys_user set locked_until = ${new Date(test.clock.now().getTime() + 60_000)} where username = 'clerk'`.execute(
      test.db,
    )
    expect((await test.call(loginWithSms, { mobile, code: sent[0]?.code ?? '' })).code).toBe(21003)
  })

  it('is sent once a minute and expires after five', async () => {
    await ask()
    expect((await test.call(sendSmsCode, { mobile })).code).toBe(100005)
    const code = sent[0]?.code ?? ''
    test.clock.advance(300)
    expect((await test.call(loginWithSms, { mobile, code })).code).toBe(21002)
  })

  it('is not sent into a private network unless that is allowed', async () => {
    await configure({ smsWebhook: url, allowPrivateServer: false })
    expect((await test.call(sendSmsCode, { mobile })).code).toBe(100000)
    await configure({ smsWebhook: url.replace('127.0.0.1', 'localhost'), allowPrivateServer: false })
    test.clock.advance(60)
    expect((await test.call(sendSmsCode, { mobile })).code).toBe(100000)
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(sent).toEqual([])
  })

  it('says when no gateway is set up', async () => {
    await configure({})
    expect((await test.call(sendSmsCode, { mobile })).code).toBe(21010)
    expect((await test.call(loginWithSms, { mobile, code: '123456' })).code).toBe(21010)
  })
})

describe('a code to scan', () => {
  const start = async () => (await test.call(startScanLogin, {})).data as { ticket: string; url: string }
  const poll = (ticket: string) => test.call(pollScanLogin, { ticket })
  const codeIn = (url: string) => new URL(url).searchParams.get('code') ?? ''

  it('lets the waiting browser in once somebody who is signed in says so', async () => {
    const phone = await test.signIn('clerk')
    const { ticket, url } = await start()
    expect(new URL(url).pathname).toBe('/login/scan')
    expect((await poll(ticket)).data).toEqual({ state: 'waiting' })
    const code = codeIn(url)
    expect((await test.call(confirmScanLogin, { code }, { token: phone.token })).code).toBe(100000)
    const { data } = await poll(ticket)
    expect(data).toMatchObject({ state: 'confirmed', user: { username: 'clerk' } })
    expect(data.token).not.toBe(phone.token)
    expect(await isOpen(data.token)).toBe(true)
    expect((await poll(ticket)).data).toEqual({ state: 'expired' })
    expect((await test.call(confirmScanLogin, { code }, { token: phone.token })).code).toBe(21013)
    const { rows } = await sql<{ type: string; username: string }>`select type, username from op_log_now()
      where route like '%scanLogin/poll'`.execute(test.db)
    expect(rows).toEqual([{ type: 'signIn', username: 'clerk' }])
  })

  it('is worth nothing to whoever sees it: the code is not the ticket', async () => {
    const { url } = await start()
    expect((await poll(codeIn(url))).data).toEqual({ state: 'expired' })
  })

  it('lasts two minutes', async () => {
    const phone = await test.signIn('clerk')
    const { ticket, url } = await start()
    test.clock.advance(120)
    expect((await test.call(confirmScanLogin, { code: codeIn(url) }, { token: phone.token })).code).toBe(21013)
    expect((await poll(ticket)).data).toEqual({ state: 'expired' })
  })
})
