import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressed } from './compressed.ts'

/** Texts of one language travel together, except those the sign-in page needs before anyone is signed in. */
function textsChunk(id: string): string | null {
  const [, language, word] = /\/texts\/([\w-]+)\/(\w+)\.json/.exec(id) ?? []
  return language === undefined || word === 'signIn' || word === 'message' ? null : `texts-${language}`
}

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), compressed()],
  json: { stringify: true },
  server: { proxy: { '/api': { target: process.env.CAMPANILE_URL ?? 'http://127.0.0.1:8080', ws: true } } },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    // Read by the benchmark of sizes; the server does not serve it.
    manifest: true,
    // The module preload helper would be an inline-free but needless polyfill: every target browser has it.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Ant Design's parts only declare; many do not say so, and a dialog would bring a whole form library along.
      treeshake: { moduleSideEffects: [{ test: /node_modules\/(@rc-component|antd\/es)\//, sideEffects: false }] },
      output: { codeSplitting: { groups: [{ name: textsChunk, debugName: 'texts', test: /\/texts\// }] } },
    },
  },
})
