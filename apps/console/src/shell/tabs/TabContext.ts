import { createContext } from 'react'

/** Which tab a screen is in. */
export const TabContext = createContext<{ key: string }>({ key: '' })
