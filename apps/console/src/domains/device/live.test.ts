// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { merge } from './live.ts'

const asked = Date.parse('2026-01-01T08:00:00Z')
const listOf = (...sns: string[]) => ({ total: sns.length, rows: sns.map((sn) => ({ sn, iotStatus: 'online' })) })

it('changes the rows a device stands in, and makes no answer younger than it is', () => {
  const queries = new QueryClient()
  queries.setQueryData(['list', 'device', { page: 1 }], listOf('A', 'B'), { updatedAt: asked })
  const other = listOf('C')
  queries.setQueryData(['list', 'device', { page: 2 }], other, { updatedAt: asked })

  merge(queries, [{ sn: 'B', iotStatus: 'offline' }])

  const [first, second] = [1, 2].map((page) => queries.getQueryState(['list', 'device', { page }]))
  expect(first?.data).toMatchObject({ rows: [{ iotStatus: 'online' }, { iotStatus: 'offline' }] })
  expect(second?.data).toBe(other)
  expect([first?.dataUpdatedAt, second?.dataUpdatedAt]).toEqual([asked, asked])
})
