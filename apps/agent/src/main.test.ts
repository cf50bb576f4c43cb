import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Platform, startPlatform } from './test/platform.ts'

const sn = 'REAL-1'
let platform: Platform
let folder: string
const children = new Set<ChildProcess>()
const agent = (...args: string[]) => {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, '../dist/agent.js'), ...args, '--state', join(folder, 'state')],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  children.add(child.once('exit', () => children.delete(child)))
  return child
}
const ends = async (child: ChildProcess) => {
  let said = ''
  child.stdout?.on('data', (chunk) => (said += chunk))
  child.stderr?.on('data', (chunk) => (said += chunk))
  const [code] = await once(child, 'close')
  return { code, said }
}
const answered = (id: string, word: string) =>
  platform.hears(({ kind, body }) => kind === 'reply' && body.id === id && body.state === word)

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'real-agent-'))
  platform = await startPlatform()
  platform.codes.add('code')
})
afterEach(async () => {
  for (const child of children) {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  await platform.close()
  await rm(folder, { recursive: true })
})

it('joins by one command, and only once', async () => {
  const joining = await ends(agent('join', platform.serverUrl, '--sn', sn, '--code', 'code'))
  expect(joining).toEqual({ code: 0, said: `${sn} has joined ${platform.serverUrl}\n` })
  expect((await stat(join(folder, 'state', 'identity.json'))).mode & 0o777).toBe(0o600)
  const again = await ends(agent('join', platform.serverUrl, '--sn', sn, '--code', 'code'))
  expect(again.code).toBe(1)
  expect(again.said).toContain('already joined')
  const used = await ends(agent('join', platform.serverUrl, '--sn', sn, '--code', 'code', '--force'))
  expect(used).toMatchObject({ code: 1, said: expect.stringContaining('no such code') })
}, 180_000)

const joinIt = () => ends(agent('join', platform.serverUrl, '--sn', sn, '--code', 'code'))
it('asks again with the same key when it was killed before the answer to its code arrived', async () => {
  platform.loseAnswers(true)
  const lost = agent('join', platform.serverUrl, '--sn', sn, '--code', 'code')
  await expect.poll(() => platform.codes.has('code'), { timeout: 30_000 }).toBe(false)
  lost.kill('SIGKILL')
  await once(lost, 'exit')
  platform.loseAnswers(false)
  expect(await joinIt()).toMatchObject({ code: 0 })
  expect(await readdir(join(folder, 'state'))).toEqual(['identity.json'])
}, 180_000)

it('removes what a killed run has left, and is one alone with its identity', async () => {
  await joinIt()
  const left = join(folder, 'state', 'work', 'file-abc')
  await mkdir(left, { recursive: true })
  await writeFile(join(left, 'screen.png'), 'a picture')
  const first = agent('run')
  await platform.hears(({ kind }) => kind === 'hello')
  await expect(stat(left)).rejects.toThrow('ENOENT')
  const second = await ends(agent('run'))
  expect(second).toEqual({ code: 1, said: expect.stringContaining(`another agent (process ${first.pid}) runs with`) })
  first.kill('SIGKILL')
  await once(first, 'exit')
  platform.heard.length = 0
  agent('run')
  await platform.hears(({ kind }) => kind === 'hello')
}, 180_000)

it('is not installed before it has joined', async () => {
  const early = await ends(agent('install', '--print'))
  expect(early).toEqual({ code: 1, said: expect.stringContaining(`no identity in ${join(folder, 'state')}`) })
}, 180_000)

it('as a process restarts an app, uploads a real log, and is killed without doing anything twice', async () => {
  const log = join(folder, 'service.log')
  await ends(agent('join', platform.serverUrl, '--sn', sn, '--code', 'code'))
  await writeFile(
    join(folder, 'state', 'config.json'),
    JSON.stringify({
      apps: {
        quick: { restart: ['sh', '-c', `echo quick >> ${log}`] },
        slow: { restart: ['sh', '-c', `echo slow >> ${log}; sleep 20`] },
      },
      logs: { crash: [], log: [log] },
    }),
  )
  const first = agent('run')
  await platform.hears(({ kind }) => kind === 'hello')
  await platform.send(sn, { id: '1', name: 'restartApp', args: { package: 'quick' } })
  await answered('1', 'done')

  await platform.send(sn, { id: '2', name: 'uploadLog', args: { type: 'log' }, upload: { url: '/up/2', token: 't' } })
  await answered('2', 'done')
  const archive = join(folder, 'log.tar.gz')
  await writeFile(archive, platform.uploads[0]?.body ?? '')
  const packed = execFileSync('tar', ['-xzOf', archive, `.${log}`], { encoding: 'utf8' })
  expect(packed).toBe('quick\n')

  await platform.send(sn, { id: '3', name: 'restartApp', args: { package: 'slow' } })
  await expect.poll(() => readFile(log, 'utf8')).toBe('quick\nslow\n')
  first.kill('SIGKILL')
  await platform.hears(({ kind, body }) => kind === 'bye' && body.reason === 'lost')

  platform.heard.length = 0
  const second = agent('run')
  await platform.hears(({ kind }) => kind === 'hello')
  expect((await answered('3', 'failed')).body.error).toContain('stopped while doing it')
  for (const [id, name] of [
    ['1', 'quick'],
    ['3', 'slow'],
  ] as const)
    await platform.send(sn, { id, name: 'restartApp', args: { package: name } })
  await answered('1', 'done')
  expect(await readFile(log, 'utf8')).toBe('quick\nslow\n')

  second.kill('SIGTERM')
  await platform.hears(({ kind, body }) => kind === 'bye' && body.reason === 'stopped')
}, 180_000)
