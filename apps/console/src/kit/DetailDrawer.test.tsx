// @vitest-environment happy-dom
import { choice, defineResource, number, optional, text, toggle } from '@campanile/contract/kit'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { DetailDrawer } from './DetailDrawer.tsx'

const lamp = defineResource({
  name: 'lamp',
  wire: { path: '/api/v1/lamp' },
  fields: {
    name: text(),
    room: optional(text()),
    watts: optional(number(0, 100)),
    warm: choice(['unknown', 'warm', 'cold']),
    lit: toggle(),
  },
  list: { columns: ['name'], filters: [], sort: 'name' },
  perms: { list: 'lamp:list' },
  scope: 'organisation',
})
const field = { name: 'Name', room: 'Room', watts: 'Watts', warm: 'Warm', lit: 'Lit' }
beforeAll(() =>
  i18next.use(initReactI18next).init({
    lng: 'en',
    resources: { en: { translation: { lamp: { field }, kit: { value: { yes: 'Yes', no: 'No' } } } } },
  }),
)
afterEach(cleanup)

it('lists what a row says, and nothing that is empty or unknown', () => {
  const row = { id: 1, name: 'Hall', room: '', watts: null, warm: 'unknown', lit: false }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <DetailDrawer resource={lamp} row={row} onClose={() => undefined} />
    </QueryClientProvider>,
  )
  expect(screen.getAllByRole('term').map((term) => term.textContent)).toEqual(['Name', 'Lit'])
})
