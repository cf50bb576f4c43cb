import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

const files = /\/zod\/v4\/core\/(to-json-schema|json-schema-processors)\.js$/

/**
 * The console checks values and never writes a JSON schema. Every kind of zod refers to the code for that, so it would
 * come with each list; here the same names stand for functions that do nothing.
 */
export const withoutJsonSchema = (): Plugin => ({
  name: 'without-json-schema',
  apply: 'build',
  load(id) {
    if (!files.test(id)) return undefined
    const names = [...readFileSync(id, 'utf8').matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name)
    return `const nothing = () => undefined\nexport { ${names.map((name) => `nothing as ${name}`)} }`
  },
})
