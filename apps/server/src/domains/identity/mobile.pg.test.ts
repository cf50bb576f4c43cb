import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  changeMobile,
  loginWithSms,
  logout,
  notifications,
  profile,
  removeMobile,
  sendMobileCode,
  sendSmsCode,
  user,
} from '@campanile/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  addDepartment,
  addRole,
  addUser,
  newsTold,
  sealedPassword,
  startTestApp,
  type TestApp,
  testPassword,
} from '../../test/app.ts'

let test: TestApp
let gateway: Server
let refusing = false
const sent: { mobile: string; code: string }[] = []
const ids = { anna: 0, bert: 0 }
const mobile = '13800138000'

beforeAll(async () => {
  gateway = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      if (!refusing) sent.push(JSON.parse(text))
      response.writeHead(refusing ? 500 : 200).end('{}')
    })
  })
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve))
  test = await startTestApp()
  const { db } = test
  const root = await addDepartment(db, { name: 'Platform' })
  const here = await addDepartment(db, { name: 'Here', parentId: root, type: 1 })
  const roleIds = [await addRole(db, { departmentId: here, permissions: ['system:user:list', 'system:user:edit'] })]
  ids.anna = await addUser(db, { username: 'anna', departmentId: here, roleIds })
  ids.bert = await addUser(db, { username: 'bert', departmentId: here, roleIds })
  const smsWebhook = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/send`
  await test.settings.save(db, { smsWebhook, allowPrivateServer: true }, ids.anna)
  test.clock.advance(2)
})
afterAll(async () => {
  await test.stop()
  gateway.close()
})
beforeEach(async () => {
  sent.length = 0
  refusing = false
  await sql`delete from rate_limit`.execute(test.db)
  await sql`delete from login_ticket`.execute(test.db)
  await sql`update sys_user set mobile = null, confirmed_mobile = null, failed_count = 0, locked_until = null`.execute(
    test.db,
  )
})

const ask = async (token: string, { number = mobile, password = testPassword } = {}) =>
  test.call(sendMobileCode, { mobile: number, password: await sealedPassword(test, password) }, { token })
const change = (token: string, code: string, number = mobile) =>
  test.call(changeMobile, { mobile: number, code }, { token })
const lastCode = () => sent.at(-1)?.code ?? ''
const numberOf = async (token: string) => {
  const { data } = await test.call(profile, {}, { token })
  return [data.mobile, data.mobileConfirmed]
}
const confirmFor = async (name: string) => {
  const { token } = await test.signIn(name)
  await ask(token)
  expect((await change(token, lastCode())).code).toBe(100000)
  return token
}
/** A sign-in code for the number, when there is one to be sent. */
const signInCode = async () => {
  await sql`delete from rate_limit`.execute(test.db)
  sent.length = 0
  expect((await test.call(sendSmsCode, { mobile })).code).toBe(100000)
  for (let waited = 0; sent.length === 0 && waited < 25; waited++) await new Promise((done) => setTimeout(done, 20))
  return sent[0]?.code
}

describe('one’s own mobile number', () => {
  it('changes with the password and the code that was sent to it, and signs in from then on', async () => {
    const { token } = await test.signIn('anna')
    expect((await ask(token)).code).toBe(100000)
    expect(sent).toEqual([{ mobile, code: expect.stringMatching(/^\d{6}$/) }])
    expect(await numberOf(token)).toEqual([null, false])
    expect((await change(token, lastCode())).code).toBe(100000)
    expect(await numberOf(token)).toEqual([mobile, true])
    const code = (await signInCode()) ?? ''
    expect((await test.call(loginWithSms, { mobile, code })).data.user).toMatchObject({ username: 'anna' })
    await newsTold(test.db)
    const told = (await test.call(notifications, { type: 'alert' }, { token })).data.rows as { text: string }[]
    expect(told[0]?.text).toContain(mobile)
    const { rows } =
      await sql`select before, after from op_log_now() where route like 'PUT %/profile/mobile' and result = 'success'
      order by id desc limit 1`.execute(test.db)
    expect(rows).toEqual([{ before: { mobile: null }, after: { mobile } }])
  })

  it('does not change without the password, without the code, or with the code of another number', async () => {
    const { token } = await test.signIn('anna')
    expect((await ask(token, { password: 'Wrong-horse-7' })).code).toBe(21002)
    expect(sent).toEqual([])
    expect((await change(token, '000000')).code).toBe(21024)
    await ask(token)
    expect((await change(token, lastCode(), '13900139000')).code).toBe(21024)
    expect(
      (await test.request('PUT', '/api/v1/oauth/profile', { realName: 'A', sex: 0, mobile }, { token })).status,
    ).toBe(400)
    expect(await numberOf(token)).toEqual([null, false])
  })

  it('is not confirmed by a code that was sent to sign in, nor the other way round', async () => {
    await confirmFor('anna')
    const code = (await signInCode()) ?? ''
    const bert = (await test.signIn('bert')).token
    expect((await change(bert, code)).code).toBe(21024)
    await sql`delete from rate_limit`.execute(test.db)
    await ask(bert)
    expect((await test.call(loginWithSms, { mobile, code: lastCode() })).code).toBe(21002)
  })

  it('takes no guesses: the fifth wrong code locks the account, whichever number they were for', async () => {
    const { token } = await test.signIn('anna')
    const codes = []
    for (let n = 0; n < 5; n++) {
      await sql`delete from rate_limit`.execute(test.db)
      await ask(token, { number: `1380013800${n}` })
      codes.push((await change(token, lastCode() === '000000' ? '000001' : '000000', `1380013800${n}`)).code)
    }
    expect(codes).toEqual([21024, 21024, 21024, 21024, 21014])
    expect((await change(token, lastCode(), '13800138004')).code).toBe(21003)
  })

  it('is confirmed within five minutes, once, and by the session that asked', async () => {
    const { token } = await test.signIn('anna')
    await ask(token)
    test.clock.advance(300)
    expect((await change(token, lastCode())).code).toBe(21024)
    await ask(token)
    const code = lastCode()
    await test.call(logout, {}, { token })
    const again = (await test.signIn('anna')).token
    expect((await change(again, code)).code).toBe(21024)
  })

  it('is asked for once a minute', async () => {
    const { token } = await test.signIn('anna')
    await ask(token)
    expect((await ask(token)).code).toBe(100005)
  })

  it('says when the gateway did not take the message', async () => {
    const { token } = await test.signIn('anna')
    refusing = true
    expect(await ask(token)).toMatchObject({ status: 503, code: 21025 })
  })

  it('is removed with the password', async () => {
    const token = await confirmFor('anna')
    const remove = async (password: string) =>
      test.call(removeMobile, { password: await sealedPassword(test, password) }, { token })
    expect((await remove('Wrong-horse-7')).code).toBe(21002)
    expect((await remove(testPassword)).code).toBe(100000)
    expect(await numberOf(token)).toEqual([null, false])
    expect(await signInCode()).toBeUndefined()
  })
})

describe('a mobile number of two people', () => {
  it('signs in whoever confirmed it first, and nobody hears of that without its code', async () => {
    await confirmFor('anna')
    const { token } = await test.signIn('bert')
    await sql`delete from rate_limit`.execute(test.db)
    expect((await ask(token)).code).toBe(100000)
    expect(await change(token, lastCode())).toMatchObject({ status: 409, code: 21023 })
    expect(await numberOf(token)).toEqual([null, false])
  })

  it('is confirmed by one of them when both try at once', async () => {
    const tokens = await Promise.all(['anna', 'bert'].map(async (name) => (await test.signIn(name)).token))
    const codes: string[] = []
    for (const token of tokens) {
      await sql`delete from rate_limit`.execute(test.db)
      await ask(token)
      codes.push(lastCode())
    }
    const answers = await Promise.all(tokens.map((token, at) => change(token, codes[at] ?? '')))
    expect(answers.map(({ code }) => code).sort()).toEqual([100000, 21023].sort())
  })

  it('signs in neither until one confirms it', async () => {
    await sql`update sys_user set mobile = ${mobile}`.execute(test.db)
    expect(await signInCode()).toBeUndefined()
    expect((await test.call(loginWithSms, { mobile, code: '000000' })).code).toBe(21002)
    await sql`delete from rate_limit`.execute(test.db)
    await confirmFor('bert')
    const code = (await signInCode()) ?? ''
    expect((await test.call(loginWithSms, { mobile, code })).data.user).toMatchObject({ username: 'bert' })
  })
})

describe('a number an administrator enters', () => {
  const enter = async (by: string, id: number, number: string) =>
    test.request('PUT', `${user.wire.path}/update`, { id, mobile: number }, { token: (await test.signIn(by)).token })

  it('signs nobody in until its owner has confirmed it', async () => {
    expect((await enter('anna', ids.bert, mobile)).code).toBe(100000)
    expect(await signInCode()).toBeUndefined()
    await sql`delete from rate_limit`.execute(test.db)
    await confirmFor('bert')
    expect(await signInCode()).toBeDefined()
    await enter('anna', ids.bert, '13900139000')
    await enter('anna', ids.bert, mobile)
    expect(await signInCode()).toBeUndefined()
  })

  it('is not their own', async () => {
    expect(await enter('anna', ids.anna, mobile)).toMatchObject({ status: 403, data: { field: 'mobile' } })
  })
})
