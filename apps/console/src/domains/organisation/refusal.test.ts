import { organisationType } from '@campanile/contract/organisation'
import { describe, expect, it } from 'vitest'
import { moveRefusal, refusalText, typeRefusal } from './refusal.ts'

const { school, grade, si, enterprise } = organisationType
const aClass = organisationType.class
const moved = { id: 5, type: grade, parentId: 3 }
const target = (id: number, type: number, above: number[] = [1]) => ({
  id,
  type,
  path: [...above, id].map((each) => ({ id: each, name: String(each) })),
})

describe('where an organisation may move', () => {
  it('refuses itself, what stands below it and where it stands already', () => {
    expect(moveRefusal(moved, target(5, grade))).toEqual({ reason: 'self' })
    expect(moveRefusal(moved, target(9, aClass, [1, 3, 5]))).toEqual({ reason: 'descendant' })
    expect(moveRefusal(moved, target(3, school))).toEqual({ reason: 'current' })
  })

  it('refuses a parent its type may not stand under, naming both types', () => {
    expect(moveRefusal(moved, target(7, enterprise))).toEqual({ reason: 'type', child: grade, parent: enterprise })
  })

  it('lets it go where its type may stand', () => {
    expect(moveRefusal(moved, target(8, school))).toBeUndefined()
  })

  it('says of a type that bears nothing that it bears nothing', () => {
    expect(typeRefusal(si, aClass)).toEqual({ reason: 'nothingBelow', parent: aClass })
  })
})

it('puts a refusal into words with both types', () => {
  const t = (key: string, values: Record<string, string>) => [key, ...Object.values(values)].join('|')
  expect(refusalText({ reason: 'type', child: school, parent: grade }, t)).toBe(
    'organisation.refusal.type|organisation.option.type.2|organisation.option.type.5',
  )
})
