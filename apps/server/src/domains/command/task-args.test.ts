import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { createSeal } from '../../platform/seal.ts'
import { createTaskArgs, shownArgs, withoutWords } from './task-args.ts'

const taskArgs = createTaskArgs(createSeal(randomBytes(32)))
/** What an answer to a task with these arguments must not repeat. */
const secretsIn = (args: Record<string, unknown>) => {
  const shown = shownArgs({}, args)
  return taskArgs.secretsOf({ id: 1, args: shown, sealed: taskArgs.seal(1, args, shown) })
}

it('knows the secrets inside a text one by one', () => {
  const text = 'ssh as root, password=hunter22, then wifi_password=opensesame!'
  expect(secretsIn({ text })).toEqual(['hunter22', 'opensesame!'])
  expect(secretsIn({ text: '{"password":"hunter22","note":"x","token":"opensesame"}' })).toEqual([
    'hunter22',
    'opensesame',
  ])
})

it('takes the whole of a text whose parts cannot be told apart, however it was made', () => {
  const list = JSON.stringify(Array.from({ length: 400 }, () => ({ password: 'aaaa' })))
  expect(secretsIn({ text: `${list} ` })).toEqual([`${list} `])
})

it('keeps nothing of an answer that would have to be searched for hundreds of secrets', () => {
  const many = Array.from({ length: 101 }, (_, at) => `secret-${at}`)
  expect(JSON.stringify(withoutWords({ told: ['secret-7', { of: 'others' }] }, many))).not.toContain('secret-7')
  expect(withoutWords({ told: 'secret-7, and more' }, ['secret-7'])).toEqual({ told: '***, and more' })
  expect(withoutWords(null, many)).toBeNull()
})

it('takes a secret out however it is written, and the whole of it where another is its beginning', () => {
  expect(withoutWords(['HUNTER22', 'x a.b+c x'], ['hunter22', 'a.b+c'])).toEqual(['***', 'x *** x'])
  expect(withoutWords('pass-4711', ['pass', 'pass-4711'])).toBe('***')
})
