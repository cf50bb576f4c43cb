import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'
import { endpoints, resources } from '../packages/contract/src/index.ts'

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((name) => /^(apps|packages)\/.*\.tsx?$/.test(name) && !name.includes('/dist/'))

/** Project-relative targets of a file's imports; packages keep their names. */
const importsOf = (file: string): string[] => {
  const text = readFileSync(file, 'utf8')
  const found = [...text.matchAll(/(?:from|import\()\s*['"]([^'"]+)['"]/g)].map((match) => match[1] as string)
  return found.map((target) => (target.startsWith('.') ? normalize(`${dirname(file)}/${target}`) : target))
}
const imports = files.flatMap((file) => importsOf(file).map((target) => ({ file, target })))
const isTest = (file: string) =>
  /\.test\.tsx?$/.test(file) || file.includes('/src/test/') || file.includes('/src/security/')
const broken = (rule: (file: string, target: string) => boolean) =>
  imports
    .filter(({ file, target }) => !isTest(file) && rule(file, target))
    .map(({ file, target }) => `${file} → ${target}`)

const consoleDomain = (path: string) => path.match(/^apps\/console\/src\/domains\/([^/]+)\//)?.[1]

describe('who may import whom', () => {
  it('keeps the contract free of everything but itself and zod', () => {
    expect(
      broken(
        (file, target) =>
          file.startsWith('packages/contract/') && !target.startsWith('packages/contract/') && target !== 'zod',
      ),
    ).toEqual([])
  })

  it('keeps what reads apps and signs manifests free of everything but Node and zod: servers and devices stand on it', () => {
    const leaf = (path: string) => path.match(/^packages\/(apk|manifest)\//)?.[0]
    const isOwn = (file: string, target: string) => leaf(target) !== undefined && leaf(target) === leaf(file)
    expect(
      broken(
        (file, target) =>
          leaf(file) !== undefined && !isOwn(file, target) && !target.startsWith('node:') && target !== 'zod',
      ),
    ).toEqual([])
  })

  it('keeps the contract kit free of declarations', () => {
    expect(
      broken(
        (file, target) =>
          file.startsWith('packages/contract/src/kit/') &&
          target.startsWith('packages/contract/src/') &&
          !target.startsWith('packages/contract/src/kit/'),
      ),
    ).toEqual([])
  })

  it('says in one place which departments a scope reaches', () => {
    const byHand = files.filter(
      (file) =>
        file.startsWith('apps/server/src/') &&
        !isTest(file) &&
        file !== 'apps/server/src/kit/scope.ts' &&
        /<@\s*any\s*\(\s*\$\{/.test(readFileSync(file, 'utf8')),
    )
    expect(byHand).toEqual([])
  })

  it('keeps browser and server apart', () => {
    expect(broken((file, target) => file.startsWith('apps/console/') && target.startsWith('apps/server/'))).toEqual([])
    expect(
      broken(
        (file, target) =>
          file.startsWith('apps/server/') && (target.startsWith('apps/console/') || target === '@campanile/client'),
      ),
    ).toEqual([])
  })

  it('lets a device know the contract and nothing of the server', () => {
    const device = /^apps\/(agent|simulator)\//
    expect(
      broken(
        (file, target) =>
          device.test(file) && /^(apps\/(server|console)\/|@campanile\/(server|console|client))/.test(target),
      ),
    ).toEqual([])
    expect(
      broken((file, target) => file.startsWith('apps/agent/') && target.startsWith('@campanile/simulator')),
    ).toEqual([])
  })

  it('keeps platform and kits free of domains', () => {
    const low = /^apps\/(server\/src\/(platform|kit)|console\/src\/(kit|theme))\//
    expect(broken((file, target) => low.test(file) && /\/src\/domains\//.test(target))).toEqual([])
  })

  it('lets the platform know nothing of the kit, save for types', () => {
    expect(
      broken(
        (file, target) => file.startsWith('apps/server/src/platform/') && target.startsWith('apps/server/src/kit/'),
      ),
    ).toEqual([])
  })

  it('lets the console take from the contract what it names by room: the whole would come with every screen', () => {
    expect(broken((file, target) => file.startsWith('apps/console/src/') && target === '@campanile/contract')).toEqual(
      [],
    )
  })

  it('keeps console domains apart, save for what others pick from and what they show', () => {
    const crossing = broken((file, target) => {
      const from = consoleDomain(file)
      const to = consoleDomain(target)
      return Boolean(from && to && from !== to && !/\/(pickers|marks)\.tsx$/.test(target))
    })
    expect(crossing).toEqual([])
  })
})

describe('kits know no resource', () => {
  const kitFiles = files.filter((file) => /^apps\/(server|console)\/src\/kit\//.test(file) && !isTest(file))
  const quoted = (name: string) => new RegExp(`['"\`]${name}['"\`]`)
  // A field kind, a scope or an ARIA role and a resource may share a word; the kind is the kit's own.
  const names = resources
    .map((resource) => resource.name)
    .filter((name) => !['user', 'file', 'organisation', 'menu'].includes(name))
  it.each(kitFiles)('%s', (file) => {
    const text = readFileSync(file, 'utf8')
    expect(names.filter((name) => quoted(name).test(text))).toEqual([])
  })
})

describe('declarations', () => {
  it('name every resource and endpoint once, each with permission and scope', () => {
    const names = [...resources.map((resource) => resource.name), ...endpoints.map((endpoint) => endpoint.name)]
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
    expect(endpoints.filter((endpoint) => !endpoint.perm || !endpoint.scope)).toEqual([])
  })
})
