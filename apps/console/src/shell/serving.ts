import { useEffect } from 'react'
import { create } from 'zustand'
import { sayLive, useLive } from './live.ts'

/** Since when devices are not being served, as the live connection says; null while they are. */
export const useServing = create<{ notServedSince: string | null }>(() => ({ notServedSince: null }))

const ask = () => sayLive({ type: 'serving' })

/** Runs once, for the whole console: whoever shows a presence must know when nobody can know it. */
export function useServingNews(): void {
  useEffect(ask, [])
  useLive('connected', ask)
  useLive('serving', ({ notServedSince }) =>
    useServing.setState({ notServedSince: typeof notServedSince === 'string' ? notServedSince : null }),
  )
}
