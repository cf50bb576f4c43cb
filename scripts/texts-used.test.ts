import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import {
  chosenCommands,
  commandForm,
  configGroups,
  configShape,
  givenForm,
  releaseKinds,
  resources,
  settingForm,
} from '../packages/contract/src/index.ts'
import { textsOf } from '../packages/contract/src/test/texts.ts'

const sources = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'apps', 'packages'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$|\/src\/test\//.test(name))
  .map((name) => readFileSync(name, 'utf8'))

const escaped = (text: string) => text.replace(/[.*+?^$()|[\]\\{}]/g, '\\$&')

/** Keys that stand in the sources as they are. */
const whole = new Set(
  sources.flatMap((text) => [...text.matchAll(/['"`](\w+(?:\.[\w-]+)+)['"`]/g)].map(([, key]) => key)),
)
/** Keys put together in the sources: what is filled in may be anything, the rest says which they are. */
const composed = [
  ...new Set(
    sources.flatMap((text) =>
      [...text.matchAll(/`((?:\w|\.|-|\$\{[^`]*?\})+)`/g)]
        .map(([, template = '']) => template)
        .filter((template) => template.includes('${') && /\w{3,}\.|\.\w{3,}/.test(template.replace(/\$\{.*?\}/g, ''))),
    ),
  ),
].map(
  (template) =>
    new RegExp(
      `^${template
        .split(/\$\{.*?\}/)
        .map(escaped)
        .join('.+')}$`,
    ),
)

/** What the kit says of a declaration: it puts the key together from the names of the resource and its parts. */
const ofDeclarations = new Set(
  [...resources, ...chosenCommands.map(commandForm), settingForm, ...releaseKinds.map(givenForm)].flatMap(
    ({ name, fields, form, actions }) => {
      const asked = Object.values(actions).flatMap((action) => Object.keys(action.fields ?? {}))
      const parts = [...Object.keys(fields), ...asked]
      const options = [fields, ...Object.values(actions).map((action) => action.fields ?? {})].flatMap((each) =>
        Object.entries(each).flatMap(([field, { options: values = [] }]) =>
          values.map((value) => `option.${field}.${value}`),
        ),
      )
      return [
        ...['title', 'empty', 'count'],
        ...['field', 'help', 'hint', 'locked'].flatMap((kind) => parts.map((field) => `${kind}.${field}`)),
        ...options,
        ...Object.keys(form).map((group) => `group.${group}`),
        ...['create', 'update', 'remove', 'export', 'import', ...Object.keys(actions)].flatMap((verb) => [
          `action.${verb}`,
          `done.${verb}`,
        ]),
      ].map((key) => `${name}.${key}`)
    },
  ),
)
const ofConfig = new Set([
  ...Object.keys(configGroups).map((group) => `config.group.${group}`),
  ...Object.keys(configShape).flatMap((key) => [`config.field.${key}`, `config.help.${key}`]),
])

/** Codes have a test of their own: each has its text and no text is without a code. */
const isOfCode = (key: string) => /^(error|deviceError)\./.test(key)

it('every text that is shipped is said somewhere', () => {
  const unused = [...textsOf('en').keys()]
    .map((key) => key.replace(/_(zero|one|other)$/, ''))
    .filter(
      (key) =>
        !isOfCode(key) &&
        !whole.has(key) &&
        !ofDeclarations.has(key) &&
        !ofConfig.has(key) &&
        !composed.some((pattern) => pattern.test(key)),
    )
  expect([...new Set(unused)]).toEqual([])
})
