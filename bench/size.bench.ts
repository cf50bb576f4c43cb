/** JavaScript a browser fetches to reach a page, gzip, read from the built console's manifest of chunks. */
import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { figure } from './installation.ts'

const dist = new URL('../apps/console/dist/', import.meta.url)

interface Chunk {
  file: string
  imports?: string[]
  dynamicImports?: string[]
  isEntry?: boolean
  src?: string
}
const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8')) as Record<string, Chunk>
const size = (file: string) => gzipSync(readFileSync(new URL(file, dist))).length / 1024

const reached = (roots: readonly string[]) => {
  const seen = new Set<string>()
  const visit = (key: string) => {
    if (seen.has(key)) return
    seen.add(key)
    for (const next of manifest[key]?.imports ?? []) visit(next)
  }
  for (const root of roots) visit(root)
  return [...seen].map((key) => manifest[key]?.file ?? '').filter((file) => file.endsWith('.js'))
}
const kib = (files: readonly string[]) => files.reduce((sum, file) => sum + size(file), 0)
const find = (part: string) => Object.keys(manifest).filter((key) => (manifest[key]?.src ?? key).includes(part))
const entry = Object.keys(manifest).filter((key) => manifest[key]?.isEntry)

console.log('| to reach | KiB of JavaScript (gzip) |\n|---|---|')
const print = (name: string, parts: readonly string[]) =>
  console.log(`| ${name} | ${figure(kib(reached([...entry, ...parts.flatMap(find)])), 0)} |`)
print('sign-in', ['SignInPage'])
print('shell', ['layout/Shell'])
for (const screen of find('Screen.tsx').sort()) {
  const name = /(\w+)Screen\.tsx$/.exec(screen)?.[1]
  if (name !== undefined) print(name, ['layout/Shell', screen])
}
console.log(`\n${readdirSync(new URL('assets/', dist)).filter((file) => file.endsWith('.js')).length} chunks in all`)
