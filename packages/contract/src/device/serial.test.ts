import { expect, it } from 'vitest'
import { filterShape } from '../kit/index.ts'
import { resources } from '../registry.ts'
import { serialsInFilter } from './facts.ts'

const bySerial = resources.filter(({ list }) => list.filters.includes('sn'))

it.each(bySerial.map((resource) => [resource.name, resource] as const))(
  'the list of %s is asked for several serial numbers at once',
  (_, resource) => {
    const read = (asked: string) => filterShape(resource).sn?.safeParse(asked)
    expect(read('A-1/A-2, A-3')?.data).toEqual(['A-1', 'A-2', 'A-3'])
    const many = Array.from({ length: serialsInFilter + 1 }, (_each, at) => `S${at}`).join('/')
    expect(read(many)?.success).toBe(false)
  },
)
