import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../test/temporary-folder.ts'
import { findRunningInstance, lockInstance } from './instance-lock.ts'

const claims = (data: string): Promise<string[]> => readdir(join(data, 'lock'))

/** What somebody left behind, or still beats. */
const plant = async (data: string, claim: object | string): Promise<string> => {
  await mkdir(join(data, 'lock'), { recursive: true })
  const path = join(data, 'lock', `${randomUUID()}.json`)
  await writeFile(path, typeof claim === 'string' ? claim : JSON.stringify({ id: randomUUID(), held: true, ...claim }))
  return path
}

test('a second server on the same folder is refused until the first has stopped', async () => {
  const data = await temporaryFolder()
  const first = await lockInstance(data)
  await expect(lockInstance(data)).rejects.toThrow(
    `${data} is in use by the Campanile with process number ${process.pid} on ${hostname()}`,
  )
  expect(await findRunningInstance(data)).toEqual({ pid: process.pid })
  await first.release()
  expect(await findRunningInstance(data)).toBeUndefined()
  await (await lockInstance(data)).release()
  expect(await claims(data)).toEqual([])
})

test('the lock of a killed server is taken over', async () => {
  const data = await temporaryFolder()
  const mine = await lockInstance(data)
  const [name = ''] = await claims(data)
  const claim = JSON.parse(await readFile(join(data, 'lock', name), 'utf8'))
  await mine.release()
  const victim = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'])
  await once(victim, 'spawn')
  victim.kill('SIGKILL')
  await once(victim, 'exit')
  await plant(data, { ...claim, pid: victim.pid })
  await (await lockInstance(data)).release()
  expect(await claims(data)).toEqual([])
})

test('a living process that was given the same number later does not count as the holder', async () => {
  const data = await temporaryFolder()
  await plant(data, { pid: process.pid, started: 'an earlier boot', host: hostname() })
  await (await lockInstance(data)).release()
})

test('a lock file emptied by a power cut does not block', async () => {
  const data = await temporaryFolder()
  await plant(data, '')
  await plant(data, '{"pid":')
  await (await lockInstance(data)).release()
})

test('of many that start at once on a stale lock exactly one gets the folder, every time', {
  timeout: 60_000,
}, async () => {
  for (let round = 0; round < 10; round += 1) {
    const data = await temporaryFolder()
    await plant(data, { pid: 1, started: 'x', host: hostname() })
    const results = await Promise.allSettled(Array.from({ length: 12 }, () => lockInstance(data)))
    const winners = results.filter((result) => result.status === 'fulfilled')
    expect(winners).toHaveLength(1)
    await winners[0]?.value.release()
  }
})

test('a lock of another machine is respected while it beats, and taken over when it falls silent', async () => {
  const data = await temporaryFolder()
  const path = await plant(data, { pid: 1, started: 'x', host: 'another-machine' })
  const beat = setInterval(() => void utimes(path, new Date(), new Date()), 200)
  await expect(lockInstance(data, 2_000)).rejects.toThrow('on another-machine')
  clearInterval(beat)
  await (await lockInstance(data, 2_000)).release()
})
