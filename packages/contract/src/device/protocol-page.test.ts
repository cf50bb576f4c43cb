import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { commandNames, deviceEventKinds, type Field } from '../index.ts'
import { stateValues } from './protocol.ts'

const path = '../../../../docs/device-protocol.md'
const page = readFileSync(new URL(path, import.meta.url), 'utf8')

/** What a value may be, to somebody who writes a client. */
const boundsOf = ({ kind, options, min, max }: Field): string => {
  if (options) return options.map((option) => (typeof option === 'string' ? `\`${option}\`` : option)).join(', ')
  if (kind === 'switch') return 'true or false'
  if (min !== undefined && max !== undefined) return `${min} to ${max}`
  if (kind === 'timestamp') return 'a time as in ISO 8601'
  return max === undefined ? kind : `up to ${max} characters`
}
const dataOf = (fields: Readonly<Record<string, Field>>) =>
  Object.entries(fields)
    .map(([name, field]) => {
      const isNeeded = field.required && !field.when && field.initial === undefined
      return `\`${name}\`${isNeeded ? '' : '?'} (${boundsOf(field)})`
    })
    .join('; ')

it('the page for those who write clients lists every kind of event that a room takes', async () => {
  const rows = deviceEventKinds.map(({ type, data, meaning }) => `| \`${type}\` | ${dataOf(data)} | ${meaning} |`)
  const table = ['| type | `data` | what is meant |', '| --- | --- | --- |', ...rows].join('\n')
  const [begin, end] = ['protocol-page -u` -->\n', '\n<!-- end -->']
  const from = page.indexOf(begin) + begin.length
  await expect(`${page.slice(0, from)}\n${table}\n${page.slice(page.indexOf(end))}`).toMatchFileSnapshot(path)
})

it('and names every command and every value', () => {
  const missing = [...commandNames, ...Object.keys(stateValues)].filter((name) => !page.includes(`\`${name}\``))
  expect(missing).toEqual([])
})
