import { appendFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createMemoryJournal, openJournal } from './journal.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'journal-'))
})
afterEach(() => rm(folder, { recursive: true }))
const day = 24 * 3_600_000
const begun = (id: string, expires = day) => ({ id, name: 'lock', expires, boot: 'b' })
const file = () => join(folder, 'journal.jsonl')

it('knows after a restart what was begun and what was answered', async () => {
  const journal = await openJournal(folder, () => 0)
  await journal.write(begun('1'))
  await journal.write({ ...begun('2'), answer: { id: '2', state: 'done' } })
  const again = await openJournal(folder, () => 0)
  expect(again.find('1')).toEqual(begun('1'))
  expect(again.find('2')?.answer).toEqual({ id: '2', state: 'done' })
  expect((await stat(file())).mode & 0o777).toBe(0o600)
})
it('is not confused by a line a power cut has torn', async () => {
  const journal = await openJournal(folder, () => 0)
  await journal.write(begun('1'))
  await appendFile(file(), '{"id":"2","na')
  const again = await openJournal(folder, () => 0)
  expect([...again.all()].map(({ id }) => id)).toEqual(['1'])
  await again.write(begun('3'))
  expect([...(await openJournal(folder, () => 0)).all()].map(({ id }) => id)).toEqual(['1', '3'])
})
it('forgets what has been expired for a day, and stays small', async () => {
  let now = 0
  const journal = await openJournal(folder, () => now)
  for (let at = 0; at < 400; at += 1) await journal.write(begun(`old ${at}`))
  now = 3 * day
  for (let at = 0; at < 200; at += 1) await journal.write(begun('new', 9 * day))
  expect([...journal.all()].map(({ id }) => id)).toEqual(['new'])
  expect((await readFile(file(), 'utf8')).split('\n').length).toBeLessThan(200)
})
it('forgets in memory likewise', async () => {
  let now = 0
  const journal = createMemoryJournal(() => now)
  for (let at = 0; at < 30; at += 1) await journal.write(begun(`${at}`))
  now = 3 * day
  await journal.write(begun('new', 9 * day))
  expect([...journal.all()].map(({ id }) => id)).toEqual(['new'])
})
