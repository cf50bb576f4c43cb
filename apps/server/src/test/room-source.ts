import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { storedName } from '../kit/table.ts'

const root = normalize(join(import.meta.dirname, '..'))

export interface SourceFile {
  /** Below `apps/server/src`. */
  readonly path: string
  /** The room it stands in; undefined for the platform, the kit and the wiring. */
  readonly room: string | undefined
  /** Files of the server it imports, types included. */
  readonly imports: readonly string[]
  /** Its SQL, without comments; whatever is put into a template stands in it as a space. */
  readonly sql: readonly string[]
  readonly text: string
}

const isProduct = (path: string) =>
  path.endsWith('.ts') && !/(\.test|\.fixture)\.ts$|^(test|security)\/|generated/.test(path)

/**
 * What stands in templates and what stands between them, told apart by a small reader of quotes: SQL is written in
 * templates, and a comment or an import that speaks of a table is no query.
 */
const split = (text: string): { templates: string[]; code: string } => {
  const templates: string[] = []
  let code = ''
  let at = 0
  /** Reads code up to the brace that closes an insertion, or to the end. */
  const readCode = (nested: boolean) => {
    let depth = 0
    while (at < text.length) {
      const two = text.slice(at, at + 2)
      const one = text[at] as string
      if (two === '//') at = text.indexOf('\n', at) < 0 ? text.length : text.indexOf('\n', at)
      else if (two === '/*') at = text.indexOf('*/', at) + 2
      else if (one === '`') readTemplate()
      else if (one === "'" || one === '"') {
        const from = at++
        while (at < text.length && text[at] !== one) at += text[at] === '\\' ? 2 : 1
        code += text.slice(from, ++at)
      } else if (one === '/' && /[(,=:[!&|?{;\n]\s*$/.test(code.slice(-40))) {
        let inSet = false
        at++
        while (at < text.length && (inSet || text[at] !== '/')) {
          if (text[at] === '[') inSet = true
          if (text[at] === ']') inSet = false
          at += text[at] === '\\' ? 2 : 1
        }
        at++
      } else {
        if (one === '{') depth++
        if (one === '}' && depth-- === 0 && nested) return
        code += one
        at++
      }
    }
  }
  const readTemplate = () => {
    let found = ''
    at++
    while (at < text.length && text[at] !== '`') {
      if (text[at] === '\\') at += 2
      else if (text.startsWith('${', at)) {
        at += 2
        readCode(true)
        at++
        found += ' ? '
      } else found += text[at++]
    }
    at++
    code += '``'
    templates.push(found)
  }
  readCode(false)
  return { templates, code }
}

const read = (path: string): SourceFile => {
  const text = readFileSync(join(root, path), 'utf8')
  const { templates, code } = split(text)
  const imports = [...code.matchAll(/(?:\bfrom|\bimport\(?)\s*'(\.[^']+)'/g)].map(([, target]) =>
    normalize(join(dirname(path), target as string)),
  )
  return {
    path,
    room: path.match(/^domains\/([^/]+)\//)?.[1],
    imports: imports.filter(isProduct),
    sql: templates,
    text: code,
  }
}

/** Every file of the server that runs; tests and their set-up are left out. */
export const readServer = (): SourceFile[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(isProduct).sort().map(read)

const afterWord = (words: string) => new RegExp(`\\b(?:${words})\\s+(?:only\\s+)?(\\w+)(?=[\\s,;)(]|$)`, 'gi')
const writing = afterWord('insert\\s+into|delete\\s+from|update|truncate|merge\\s+into|lock\\s+table')
const reading = afterWord('from|join|using')
/** The second and later of `from a x, b y`. */
const listed = /\bfrom\s+\w+(?:\s+(?:as\s+)?\w+)?((?:\s*,\s*\w+(?:\s+(?:as\s+)?\w+)?)+)/gi

const names = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name as string)

/** Tables a file names: those it changes, and those it reads. A table bound for the kit's verbs counts as changed. */
export const tablesOf = ({ sql, text }: SourceFile, known: ReadonlySet<string>) => {
  const isKnown = (name: string) => known.has(name)
  const builder = (calls: string) => names(text, new RegExp(`\\.(?:${calls})\\(\\s*'(\\w+)`, 'g'))
  const bound = [
    ...(/\b(?:bindTable|plainTable)\(/.test(text) ? names(text, /\bname: '(\w+)'/g) : []),
    ...names(text, /\bplainTable\((\w+)/g).map(storedName),
  ]
  const written = [
    ...sql.flatMap((each) => names(each, writing)),
    ...builder('insertInto|updateTable|deleteFrom|mergeInto'),
    ...bound,
  ].filter(isKnown)
  const read = [
    ...sql.flatMap((each) => names(each, reading)),
    ...sql.flatMap((each) => names(each, listed).flatMap((list) => names(list, /,\s*(\w+)/g))),
    ...builder('selectFrom|(?:inner|left|right|full|cross)Join'),
    ...names(text, /\btable: '(\w+)'/g),
    ...names(text, /\bsql\.table\('(\w+)'\)/g),
  ].filter(isKnown)
  return { written: [...new Set(written)].sort(), read: [...new Set(read)].sort() }
}

/** Groups of files that import each other in a circle. */
export const cyclesOf = (files: readonly SourceFile[]): string[][] => {
  const imports = new Map(files.map(({ path, imports }) => [path, imports]))
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const cycles: string[][] = []
  const visit = (path: string) => {
    index.set(path, index.size)
    low.set(path, index.get(path) as number)
    stack.push(path)
    for (const next of imports.get(path) ?? []) {
      if (!index.has(next)) visit(next)
      if (stack.includes(next)) low.set(path, Math.min(low.get(path) as number, low.get(next) as number))
    }
    if (low.get(path) !== index.get(path)) return
    const group = stack.splice(stack.indexOf(path))
    if (group.length > 1 || imports.get(path)?.includes(path)) cycles.push(group.sort())
  }
  for (const { path } of files) if (!index.has(path)) visit(path)
  return cycles
}
