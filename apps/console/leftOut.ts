import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

/*
 * Code of others that would be fetched with every list though the console never runs it, because what it does run is
 * written in the same file.
 */

const kinds = /\/zod\/v4\/classic\/schemas\.js$/
const sentences = /\/zod\/v4\/locales\/en\.js$/
const writer = /\/zod\/v4\/core\/to-json-schema\.js$/

/** The console checks values and never writes a JSON schema; every kind of zod says how it would be written. */
export const withoutJsonSchema = (): Plugin => ({
  name: 'without-json-schema',
  apply: 'build',
  load(id) {
    if (!writer.test(id)) return undefined
    const names = [...readFileSync(id, 'utf8').matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name)
    return `const refuse = () => { throw new Error('The console writes no JSON schema') }
      export { ${names.map((name) => `refuse as ${name}`)} }`
  },
  transform: (code, id) =>
    kinds.test(id) ? { code: code.replace(/^ *inst\._zod\.processJSONSchema = .*;$/gm, ''), map: null } : undefined,
})

/** What is wrong with a value is said by its code in the language of the page; zod's own English sentences are never shown. */
export const withoutSentences = (): Plugin => ({
  name: 'without-sentences',
  apply: 'build',
  load: (id) => (sentences.test(id) ? "export default () => ({ localeError: () => 'Invalid input' })" : undefined),
})

/**
 * A button asks the presets of Ant Design's colour picker whether a colour is bright. Our pickers have no presets, so the
 * panels these fold away in stay out.
 */
export const withoutPresets = (): Plugin => ({
  name: 'without-presets',
  apply: 'build',
  enforce: 'pre',
  resolveId: (source, importer) =>
    source === '../../collapse' && importer?.endsWith('/color-picker/components/ColorPresets.js')
      ? '\0no-panels'
      : undefined,
  load: (id) => (id === '\0no-panels' ? 'export default () => null' : undefined),
})
