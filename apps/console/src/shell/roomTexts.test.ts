import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { languages, textFiles } from '../../../../packages/contract/src/test/texts.ts'
import { declaredPlaces } from '../../byRoom.ts'

const source = fileURLToPath(new URL('../', import.meta.url))
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path),
)
const textOf = new Map(files.map((path) => [path, readFileSync(join(source, path), 'utf8')]))
const rooms = readdirSync(join(source, 'domains'))

const roomOfWord = new Map(textFiles('en').flatMap(({ room, word }) => (word === 'error' ? [] : [[word, room]])))
const resources = new Set(declaredPlaces().map(({ name }) => name))
const titleKeys = new Set(
  rooms.flatMap((room) =>
    [...(textOf.get(`domains/${room}/index.tsx`) ?? '').matchAll(/titleKey: '([^']+)'/g)].map(([, key]) => key),
  ),
)
/** Loaded before any screen is. */
const always = ['signIn', 'shell', 'kit']

const named = (list: string) => [...list.matchAll(/'(\w+)'/g)].map(([, room = '']) => room)
/** Parts that come late with their words: `later(async () => (await import('./Part.tsx')).Part, ['words'])`. */
const latePart = /later\(\s*async \(\) => \(await import\('(\.[^']+)'\)\)\.\w+,\s*\[([^\]]*)\],?\s*\)/g
/** Parts that bring their words along when they are opened: so, or by `Promise.all([import(…), loadTexts([…])])`. */
const partsOf = (path: string): { part: string; words: string[] }[] => {
  const text = textOf.get(path) ?? ''
  const at = (target: string) => normalize(join(dirname(path), target))
  const late = [...text.matchAll(latePart)].map(([, target = '', list = '']) => ({
    part: at(target),
    words: named(list),
  }))
  const words = named(/loadTexts\(\[([^\]]*)\]\)/.exec(text)?.[1] ?? '')
  if (words.length === 0) return late
  const parts = text.matchAll(/Promise\.all\(\[import\('(\.[^']+)'\)/g)
  return [...late, ...[...parts].map(([, target = '']) => ({ part: at(target), words }))]
}
const lateWords = files.flatMap((path) =>
  path.startsWith('shell/') ? partsOf(path).flatMap(({ words }) => words) : [],
)

/** Files a file brings along, at once or when they are wanted, but for parts that bring their own words. */
const importsOf = (path: string): string[] =>
  [...(textOf.get(path) ?? '').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)]
    .map(([, target = '']) => normalize(join(dirname(path), target)))
    .filter((target) => textOf.has(target) && !partsOf(path).some(({ part }) => part === target))

/** Rooms whose words a file says: by a key, or by a kind of row whose labels it shows. */
const saidBy = (path: string): string[] => {
  const text = textOf.get(path) ?? ''
  const keys = [...text.matchAll(/['"`](\w+)\.(\w+(?:\.\w+)*)?/g)].flatMap(([, word = '', rest]) =>
    // What a screen or a kind of row is called is known without its room.
    rest === 'title' || titleKeys.has(`${word}.${rest}`) ? [] : [roomOfWord.get(word)],
  )
  const labels = [...text.matchAll(/import \{([^}]*)\} from '@campanile\/contract\/(\w+)'/g)].flatMap(
    ([, names = '', room = '']) => (names.split(',').some((name) => resources.has(name.trim())) ? [room] : []),
  )
  // The names of commands and events are those of whichever room declares them.
  const spoken = [
    ...(/\bcommandTextKey\b/.test(text) ? ['command', 'spoken'] : []),
    ...(/\beventTextKey\b/.test(text) ? ['device', 'spoken'] : []),
  ]
  return [...keys, ...labels, ...spoken].filter((room) => room !== undefined)
}

/** Everything that can be opened from these files; other rooms are followed, the shell is there anyway. */
const reachedFrom = (start: readonly string[]): Set<string> => {
  const seen = new Set<string>()
  const visit = (path: string) => {
    if (seen.has(path) || path.startsWith('shell/')) return
    seen.add(path)
    for (const next of importsOf(path)) visit(next)
  }
  for (const path of start) visit(path)
  return seen
}
const needed = (room: string, start = `domains/${room}/index.tsx`): string[] => {
  const said = [...reachedFrom([start])].filter((path) => !path.startsWith('kit/')).flatMap(saidBy)
  return [...new Set(said)].filter((other) => other !== room && !always.includes(other)).sort()
}
const standsOn = (room: string): string[] =>
  named(/standsOn = \[([^\]]*)\]/.exec(textOf.get(`domains/${room}/index.tsx`) ?? '')?.[1] ?? '').sort()

describe('the texts a screen has when it is drawn', () => {
  it.each(rooms)('%s names the rooms whose words its screens say, and no others', (room) => {
    expect(standsOn(room)).toEqual(needed(room))
  })

  it('are brought along by parts that are opened over them, with the words of all rooms these speak of', () => {
    const lacking = files.flatMap((path) => {
      const own = path.split('/')[1] ?? ''
      const known = [own, ...standsOn(own)]
      return partsOf(path).flatMap(({ part, words }) =>
        needed(own, part)
          .filter((room) => !words.includes(room) && !known.includes(room))
          .map((room) => `${part}: ${room}`),
      )
    })
    expect(lacking).toEqual([])
  })

  it('the shell says nothing of a room', () => {
    const said = files
      .filter((path) => path.startsWith('shell/'))
      .flatMap((path) => saidBy(path).map((room) => ({ path, room })))
    expect(said.filter(({ room }) => ![...always, ...lateWords].includes(room))).toEqual([])
  })

  it('a room with screens has texts in every language', () => {
    const silent = languages.flatMap((language) => {
      const told = new Set(textFiles(language).map(({ room }) => room))
      return rooms.filter((room) => !told.has(room)).map((room) => `${language}/${room}`)
    })
    expect(silent).toEqual([])
  })
})
