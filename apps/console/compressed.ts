import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)
const isText = (name: string) => /\.(js|css|html|svg|json)$/.test(name)

/** Lays a compressed copy beside each text file: packed once here, not for every visitor. The server picks by what the browser takes. */
export const compressed = (): Plugin => ({
  name: 'compressed',
  apply: 'build',
  async writeBundle({ dir = '' }, bundle) {
    for (const name of Object.keys(bundle).filter(isText)) {
      const path = join(dir, name)
      const bytes = await readFile(path)
      await writeFile(`${path}.br`, await brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }))
      await writeFile(`${path}.gz`, await gzipped(bytes, { level: 9 }))
    }
  },
})
