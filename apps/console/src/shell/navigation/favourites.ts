import type { favourites } from '@campanile/contract/identity'
import type { AnswerOf } from '@campanile/contract/kit'
import { create } from 'zustand'
import { api } from '../api.ts'
import { showError } from '../feedback.ts'

type OnTop = AnswerOf<typeof favourites>

const path = '/api/v1/oauth/favourites'

/** What stands above the entries of the menu, as the server keeps it for the person. */
export const useFavourites = create<OnTop>(() => ({ rows: [], views: [] }))

export async function loadFavourites(): Promise<void> {
  try {
    useFavourites.setState(await api.call<OnTop>('GET', path))
  } catch {
    // The menu is whole without them; they come with the next page that is loaded.
  }
}

/** A page has its star at once; when the server will not have it, it goes again. */
export async function toggleFavourite(page: string, title?: string): Promise<void> {
  const { rows } = useFavourites.getState()
  const known = rows.find((row) => row.path === page)
  useFavourites.setState({
    rows: known ? rows.filter((row) => row !== known) : [...rows, { id: 0, path: page, title: title ?? null }],
  })
  try {
    if (known) await api.call('DELETE', path, { body: { id: known.id } })
    else {
      const body = { path: page, ...(title !== undefined && title !== '' && { title: title.slice(0, 128) }) }
      await api.call('POST', path, { body })
    }
  } catch (error) {
    showError(error)
  }
  await loadFavourites()
}
