import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { byRoom } from './byRoom.ts'
import { compressed } from './compressed.ts'
import { withoutJsonSchema, withoutPresets, withoutSentences } from './leftOut.ts'

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), byRoom(), withoutJsonSchema(), withoutSentences(), withoutPresets(), compressed()],
  server: { proxy: { '/api': { target: process.env.CAMPANILE_URL ?? 'http://127.0.0.1:8080', ws: true } } },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    // Read by the benchmark of sizes and the test of what each room fetches; the server does not serve it.
    manifest: true,
    // The module preload helper would be an inline-free but needless polyfill: every target browser has it.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Every chunk names those it needs, and the first one names all: what they are called is fetched with each page.
      output: { chunkFileNames: 'assets/[hash].js', assetFileNames: 'assets/[hash][extname]' },
      // Ant Design's parts only declare; many do not say so, and a dialog would bring a whole form library along.
      treeshake: { moduleSideEffects: [{ test: /node_modules\/(@rc-component|antd\/es)\//, sideEffects: false }] },
    },
  },
})
