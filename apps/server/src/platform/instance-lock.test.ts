import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../test/temporary-folder.ts'
import { findRunningInstance, lockInstance } from './instance-lock.ts'

test('a second server on the same folder is refused until the first has stopped', async () => {
  const data = await temporaryFolder()
  const first = await lockInstance(data)
  await expect(lockInstance(data)).rejects.toThrow(
    `${data} is in use by the Campanile with process number ${process.pid}`,
  )
  expect(await findRunningInstance(data)).toEqual({ pid: process.pid })
  await first.release()
  expect(await findRunningInstance(data)).toBeUndefined()
  await (await lockInstance(data)).release()
  expect(await readdir(data)).toEqual([])
})

test('the lock of a killed server is taken over', async () => {
  const data = await temporaryFolder()
  const victim = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'])
  await once(victim, 'spawn')
  const mine = await lockInstance(data)
  const holder = JSON.parse(await readFile(join(data, 'server.lock'), 'utf8'))
  await mine.release()
  victim.kill('SIGKILL')
  await once(victim, 'exit')
  await writeFile(join(data, 'server.lock'), JSON.stringify({ ...holder, pid: victim.pid }))
  await (await lockInstance(data)).release()
})

test('a living process that was given the same number later does not count as the holder', async () => {
  const data = await temporaryFolder()
  const holder = { id: 'old', pid: process.pid, started: 'an earlier boot', host: hostname() }
  await writeFile(join(data, 'server.lock'), JSON.stringify(holder))
  await (await lockInstance(data)).release()
})

test('a lock file cut short by a full disk does not block', async () => {
  const data = await temporaryFolder()
  await writeFile(join(data, 'server.lock'), '{"pid":')
  await (await lockInstance(data)).release()
})

test('of many that start at once on a stale lock exactly one gets the folder', async () => {
  const data = await temporaryFolder()
  await writeFile(join(data, 'server.lock'), JSON.stringify({ id: 'old', pid: 1, started: 'x', host: hostname() }))
  const results = await Promise.allSettled(Array.from({ length: 12 }, () => lockInstance(data)))
  const winners = results.filter((result) => result.status === 'fulfilled')
  expect(winners).toHaveLength(1)
  await winners[0]?.value.release()
})

test('a lock of another machine is respected while it beats, and taken over when it falls silent', {
  timeout: 30_000,
}, async () => {
  const data = await temporaryFolder()
  const path = join(data, 'server.lock')
  await writeFile(path, JSON.stringify({ id: 'other', pid: 1, started: 'x', host: 'another-machine' }))
  const beat = setInterval(() => void utimes(path, new Date(), new Date()), 500)
  await expect(lockInstance(data, 2_000)).rejects.toThrow('on another-machine')
  clearInterval(beat)
  await (await lockInstance(data, 2_000)).release()
})
