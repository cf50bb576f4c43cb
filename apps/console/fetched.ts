import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

/** What a browser fetches of the built console, read from its manifest. */

const dist = new URL('dist/', import.meta.url)
const domains = new URL('src/domains/', import.meta.url)

interface Chunk {
  file: string
  imports?: string[]
  css?: string[]
  isEntry?: boolean
  src?: string
}

export interface Screen {
  room: string
  /** The file in the room that is the screen. */
  name: string
  /** Its own room and those it stands on. */
  rooms: string[]
}

/** Every screen the rooms list, by the files that hold them. */
export const screens = (): Screen[] =>
  readdirSync(domains).flatMap((room) => {
    const index = readFileSync(new URL(`${room}/index.tsx`, domains), 'utf8')
    const others = [...(/standsOn = \[([^\]]*)\]/.exec(index)?.[1] ?? '').matchAll(/'(\w+)'/g)]
    const rooms = [room, ...others.map(([, other = '']) => other)]
    const names = [...index.matchAll(/import\('\.\/([\w/]+\.tsx)'\)/g)].map(([, name = '']) => name)
    return [...new Set(names)].map((name) => ({ room, name, rooms }))
  })

const signIn = ['signIn']
const ofShell = [...signIn, 'names', 'shell', 'kit', 'api']
const modulesOf = (rooms: readonly string[]) => rooms.map((room) => `virtual:texts/en/${room}`)
/** Where the texts of rooms are. */
const places = 'virtual:texts/en'

export const readBuild = () => {
  const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8')) as Record<string, Chunk>
  const keyOf = (source: string) =>
    Object.keys(manifest).find((key) => key === source || manifest[key]?.src === source || key === `_${source}`)

  /** Files that come with these modules at once: code, styles, texts of one language; the page itself with them. */
  const filesFor = (sources: readonly string[]): string[] => {
    const seen = new Set<string>()
    const visit = (key: string) => {
      if (seen.has(key)) return
      seen.add(key)
      for (const next of manifest[key]?.imports ?? []) visit(next)
    }
    for (const key of Object.keys(manifest)) if (manifest[key]?.isEntry) visit(key)
    for (const source of sources) {
      const key = keyOf(source)
      if (key === undefined) throw new Error(`the build holds no ${source}`)
      visit(key)
    }
    const chunks = [...seen].flatMap((key) => manifest[key] ?? [])
    return ['index.html', ...new Set(chunks.flatMap(({ file, css = [] }) => [file, ...css]))]
  }

  return {
    signIn: () => filesFor(['src/shell/signIn/SignInPage.tsx', ...modulesOf(signIn)]),
    shell: () => filesFor(['src/shell/layout/Shell.tsx', places, ...modulesOf(ofShell)]),
    screen: ({ room, name, rooms }: Screen) =>
      filesFor([
        'src/shell/layout/Shell.tsx',
        places,
        `src/domains/${room}/${name}`,
        ...modulesOf([...ofShell, ...rooms]).filter((source) => keyOf(source) !== undefined),
      ]),
    declaredList: () =>
      filesFor(['src/shell/layout/Shell.tsx', 'src/kit/list/DeclaredScreen.tsx', places, ...modulesOf(ofShell)]),
  }
}

export const textOfFile = (file: string): string => readFileSync(new URL(file, dist), 'utf8')

const packed = new Map<string, number>()
/** Most files are fetched by most screens, so each is packed once. */
const packedSize = (file: string): number => {
  const size = packed.get(file) ?? gzipSync(readFileSync(new URL(file, dist))).length
  packed.set(file, size)
  return size
}
export const kib = (files: readonly string[]): number => files.reduce((sum, file) => sum + packedSize(file), 0) / 1024
