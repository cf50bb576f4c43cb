// @vitest-environment happy-dom
import { changePassword, type SessionUser } from '@campanile/contract/identity'
import { beforeEach, expect, it, vi } from 'vitest'

const { send, endSession } = vi.hoisted(() => ({ send: vi.fn(), endSession: vi.fn() }))
vi.mock('@campanile/client', async (original) => ({
  ...(await original<typeof import('@campanile/client')>()),
  createClient: () => ({ call: send, upload: send, download: send }),
}))
vi.mock('./apiBase.ts', () => ({ apiBase: 'http://localhost' }))
vi.mock('./texts.ts', () => ({ currentLanguage: () => 'en' }))
vi.mock('./session/endSession.ts', () => ({ endSession }))

const user = { uid: 7, operating: null } as SessionUser
const over = async () =>
  new (await import('@campanile/client')).ApiError({ kind: 'session', code: 100006, status: 401, message: '' })
const settled = async (call: Promise<unknown>) => {
  const state = vi.fn()
  call.then(state, state)
  await new Promise((resolve) => setTimeout(resolve, 5))
  return state.mock.calls.length > 0
}

let api: typeof import('./api.ts').api
let openSession: typeof import('./session/session.ts').openSession
let replaceSession: typeof import('./session/session.ts').replaceSession
let signing: typeof import('./session/signBackIn.ts')

// A session ends once in the life of a page.
beforeEach(async () => {
  vi.resetModules()
  ;({ openSession, replaceSession } = await import('./session/session.ts'))
  signing = await import('./session/signBackIn.ts')
  ;({ api } = await import('./api.ts'))
  send.mockReset()
  endSession.mockReset()
  openSession({ token: 'old', user })
})

it('a call whose session is over ends it, and the screen waits for the reload', async () => {
  send.mockRejectedValue(await over())
  expect(await settled(api.call('GET', '/x'))).toBe(false)
  expect(endSession).toHaveBeenCalledOnce()
})

it('a call that was under way while the own password changed is made again with the new token', async () => {
  send.mockImplementationOnce(async () => {
    openSession({ token: 'new', user })
    throw await over()
  })
  send.mockResolvedValueOnce('answered')
  expect(await api.call('GET', '/x')).toBe('answered')
  expect(endSession).not.toHaveBeenCalled()
})

it('a refusal that comes before the new token waits for it', async () => {
  let arrive: (session: { token: string; user: SessionUser }) => void = () => undefined
  const replaced = replaceSession(() => new Promise((resolve) => (arrive = resolve)))
  send.mockRejectedValueOnce(await over()).mockResolvedValueOnce('answered')
  const call = api.call('GET', '/x')
  expect(await settled(call)).toBe(false)
  arrive({ token: 'new', user })
  await replaced
  expect(await call).toBe('answered')
  expect(endSession).not.toHaveBeenCalled()
})

it('a change of password that is itself refused ends the session', async () => {
  send.mockRejectedValue(await over())
  void replaceSession(() => api.call('POST', changePassword.path))
  await vi.waitFor(() => expect(endSession).toHaveBeenCalledOnce(), 30_000)
})

it('who is still looking is asked once, and everything that was refused is asked for again', async () => {
  const back = vi.fn()
  signing.offerSignBackIn(back)
  send.mockRejectedValueOnce(await over()).mockRejectedValueOnce(await over())
  const both = Promise.all([api.call('GET', '/x'), api.call('POST', '/y')])
  await vi.waitFor(() => expect(signing.useSignBackIn.getState().question).toBeDefined(), 30_000)
  send.mockResolvedValue('answered')
  openSession({ token: 'new', user })
  expect(await both).toEqual(['answered', 'answered'])
  expect(back).toHaveBeenCalledOnce()
  expect(signing.useSignBackIn.getState().question).toBeUndefined()
  expect(endSession).not.toHaveBeenCalled()
})

it('who does not want to come back leaves, and so does a session that no password brings back', async () => {
  const back = vi.fn()
  signing.offerSignBackIn(back)
  send.mockRejectedValue(await over())
  const call = api.call('GET', '/x')
  await vi.waitFor(() => expect(signing.useSignBackIn.getState().question).toBeDefined(), 30_000)
  signing.useSignBackIn.getState().question?.answer(false)
  expect(await settled(call)).toBe(false)
  expect(endSession).toHaveBeenCalledOnce()
  openSession({ token: 'scanned', user: { ...user, operating: { departmentId: 9 } } as unknown as SessionUser })
  expect(await signing.signBackIn()).toBe(false)
  expect(back).not.toHaveBeenCalled()
})

it('nothing asked for in one organisation is asked for again in another', async () => {
  send.mockImplementationOnce(async () => {
    openSession({ token: 'new', user: { ...user, operating: { departmentId: 9 } } as unknown as SessionUser })
    throw await over()
  })
  await expect(api.call('POST', '/x')).rejects.toMatchObject({ kind: 'session' })
  expect(send).toHaveBeenCalledOnce()
  expect(endSession).not.toHaveBeenCalled()
})
