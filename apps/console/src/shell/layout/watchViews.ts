import { loadFavourites } from '../navigation/favourites.ts'
import { queryClient } from '../queryClient.ts'

/** A list that has saved or removed a view reads its own anew, and so does the menu. */
export const watchViews = (): (() => void) =>
  queryClient.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'invalidate' && event.query.queryKey[0] === 'savedViews')
      void loadFavourites()
  })
