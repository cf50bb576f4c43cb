// @vitest-environment happy-dom
import { doorRecord, type Field, organisation, type Resource, resources } from '@campanile/contract'
import { cleanup, render, screen } from '@testing-library/react'
import i18next from 'i18next'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { RowFacts } from './RowFacts.tsx'
import { type AnyRow, createReader } from './reader.ts'

const { granted } = vi.hoisted(() => ({ granted: { all: true } }))
vi.mock('../shell/permissions.ts', () => ({ usePermission: () => granted.all }))

beforeAll(() => i18next.init({ lng: 'en', resources: { en: { translation: {} } } }))
afterEach(cleanup)

const isId = (name: string, { kind }: Field) => kind === 'ref' || (kind === 'number' && name.endsWith('Id'))
const idOf = (at: number) => 770_001 + at
const nameOf = (field: string) => `named-${field}`

/** A row whose references all have an id and a name. */
const rowOf = (resource: Resource): AnyRow => {
  const row: Record<string, unknown> = {}
  for (const [at, [name, field]] of Object.entries(resource.fields).entries()) {
    if (isId(name, field)) row[name] = idOf(at)
    if (field.nameField) row[field.nameField] = field.kind === 'refs' ? [nameOf(name)] : nameOf(name)
  }
  return { id: 1, ...row }
}

const open = (resource: Resource) =>
  render(<RowFacts row={rowOf(resource)} reader={createReader(resource, i18next)} />, { wrapper: MemoryRouter })

const told = ({ fields }: Resource) =>
  Object.entries(fields).filter(([, field]) => field.kind === 'ref' && !field.unlisted && !field.untold)

it('what has gone is still said by its name, and leads nowhere', () => {
  granted.all = true
  render(<RowFacts row={{ id: 1, deviceId: null, sn: 'S-1' }} reader={createReader(doorRecord, i18next)} />, {
    wrapper: MemoryRouter,
  })
  expect(screen.getByText('S-1')).toBeTruthy()
  expect(screen.queryByRole('link')).toBeNull()
})

it('of a department above one’s reach says what it is, and leads nowhere', () => {
  granted.all = true
  const row = { id: 1, name: 'Harbour', parentId: 770_001, parentName: null }
  const { container } = render(<RowFacts row={row} reader={createReader(organisation, i18next)} />, {
    wrapper: MemoryRouter,
  })
  expect(container.textContent).toContain('kit.value.outOfReach')
  expect(container.textContent).not.toMatch(/770/)
  expect(screen.queryByRole('link')).toBeNull()
})

describe.each(resources.map((each) => [each.name, each as Resource] as const))('the drawer of %s', (_, resource) => {
  it('says what it refers to by name and never by number', () => {
    granted.all = true
    const said = open(resource).container.textContent ?? ''
    expect(said).not.toMatch(/770[,.]?0\d\d/)
    for (const [name] of told(resource)) expect(said).toContain(nameOf(name))
  })

  it('leads to what has a page, for those who may open it', () => {
    const pages = told(resource).filter(([, { target }]) => target?.().palette?.opens)
    granted.all = true
    open(resource)
    for (const [name] of pages) expect(screen.getAllByRole('link', { name: nameOf(name) })).toHaveLength(1)
    cleanup()
    granted.all = false
    open(resource)
    expect(screen.queryAllByRole('link')).toHaveLength(0)
  })
})
