import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Actor, covers, type Grant, platformScopeFor, scopeFor } from './actor.ts'

const place = (path: string) => ({ id: Number(path.split('.').at(-1)), name: path, type: 0, path })
const actor = (grants: readonly Grant[], operating: string | null = null): Actor => ({
  id: 1,
  username: 'lee.wing',
  realName: 'Lee Wing',
  type: 2,
  department: place('1.2'),
  grants,
  operating: operating ? place(operating) : null,
  sessionHash: Buffer.alloc(0),
  originHash: Buffer.alloc(0),
  passwordExpired: false,
})
const grant = (permissions: readonly string[] | 'all', ...paths: string[]): Grant => ({
  permissions: permissions === 'all' ? 'all' : new Set(permissions),
  paths,
})

describe('the scope of a permission', () => {
  it('does not lend one role the departments of another', () => {
    const both = actor([grant(['release'], '1.2'), grant(['view'], '1.3')])
    expect(scopeFor(both, 'release')?.paths).toEqual(['1.2'])
    expect(scopeFor(both, 'view')?.paths).toEqual(['1.3'])
  })

  it('is null when no role grants the permission', () => {
    expect(scopeFor(actor([grant(['view'], '1.2')]), 'release')).toBeNull()
  })

  it('does not take 1.20 for a part of 1.2', () => {
    const scope = scopeFor(actor([grant(['view'], '1.2')]), 'view')
    expect(scope && covers(scope, '1.20')).toBe(false)
    expect(scope && covers(scope, '1.2.7')).toBe(true)
  })

  it('is narrowed by the organisation entered, never widened', () => {
    const grants = [grant(['view'], '1.2', '1.3.4')]
    expect(scopeFor(actor(grants, '1.2.9'), 'view')?.paths).toEqual(['1.2.9'])
    expect(scopeFor(actor(grants, '1.3'), 'view')?.paths).toEqual(['1.3.4'])
    expect(scopeFor(actor(grants, '1.5'), 'view')).toBeNull()
  })

  it('reaches the installation only from its root, whichever organisation is entered', () => {
    expect(platformScopeFor(actor([grant('all', '1.2')]), 'system:menu:edit')).toBeNull()
    expect(platformScopeFor(actor([grant('all', '1')], '1.2'), 'system:menu:edit')?.everything).toBe(true)
  })

  it('covers a department exactly when one single role grants the permission there', () => {
    const path = fc
      .array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 4 })
      .map((steps) => ['1', ...steps].join('.'))
    const permission = fc.constantFrom('a', 'b', 'c')
    const role = fc.record({ permissions: fc.array(permission), paths: fc.array(path, { minLength: 1, maxLength: 3 }) })
    fc.assert(
      fc.property(fc.array(role), permission, path, fc.option(path), (roles, wanted, target, operating) => {
        const under = (child: string, parent: string) => child === parent || child.startsWith(`${parent}.`)
        const expected =
          roles.some((one) => one.permissions.includes(wanted) && one.paths.some((root) => under(target, root))) &&
          (operating === null || under(target, operating))
        const scope = scopeFor(
          actor(
            roles.map((one) => grant(one.permissions, ...one.paths)),
            operating,
          ),
          wanted,
        )
        expect(Boolean(scope && covers(scope, target))).toBe(expected)
      }),
    )
  })
})
