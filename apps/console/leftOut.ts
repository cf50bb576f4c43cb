import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

/*
 * Code of others that would be fetched with every list though the console never runs it, because what it does run is
 * written in the same file. Here the names stay and do nothing.
 */

const jsonSchema = /\/zod\/v4\/core\/(to-json-schema|json-schema-processors)\.js$/

/** The console checks values and never writes a JSON schema; every kind of zod refers to the code for that. */
export const withoutJsonSchema = (): Plugin => ({
  name: 'without-json-schema',
  apply: 'build',
  load(id) {
    if (!jsonSchema.test(id)) return undefined
    const names = [...readFileSync(id, 'utf8').matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name)
    return `const nothing = () => undefined\nexport { ${names.map((name) => `nothing as ${name}`)} }`
  },
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
