import { pageSizeLimit, type Resource } from '@campanile/contract/kit'
import { useEffect, useState } from 'react'
import { readStored, writeStored } from '../../shell/storage.ts'

/** So many rows, or as many as the window shows without scrolling. */
export type SizeChoice = number | 'fit'

/** What a list of an ordinary page leaves for other things than rows; measured on the screen afterwards. */
const usualRest = 340
const usualRow = 36
const fewest = 5
const settleMs = 200

/** How many rows of this height stand in a window of this height. */
export const rowsThatFit = (windowHeight: number, { rest, row }: Room): number =>
  Math.min(pageSizeLimit, Math.max(fewest, Math.floor((windowHeight - rest) / row)))

/** The height of a row, and what of the window is not for rows. */
export interface Room {
  rest: number
  row: number
}
const isRoom = (value: unknown): value is Room =>
  typeof value === 'object' && value !== null && 'rest' in value && 'row' in value && Number(value.row) > 0
const isSize = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= pageSizeLimit

const storedChoice = (resource: Resource): SizeChoice => {
  const stored = readStored('local', `pageSize.${resource.name}`)
  return isSize(stored) ? stored : 'fit'
}
const storedRoom = (resource: Resource): Room => {
  const stored = readStored('local', `room.${resource.name}`)
  return isRoom(stored) ? stored : { rest: usualRest, row: usualRow }
}

/** How many rows a list shows when it is opened. */
export const firstPageSize = (resource: Resource): number => {
  const chosen = storedChoice(resource)
  return chosen === 'fit' ? rowsThatFit(window.innerHeight, storedRoom(resource)) : chosen
}

/** How many rows a page has: what somebody chose for this list, or else what fits. */
export const usePageSize = (resource: Resource) => {
  const [chosen, setChosen] = useState(() => storedChoice(resource))
  const [room, setRoom] = useState(() => storedRoom(resource))
  const height = useSettledHeight()
  const fitting = rowsThatFit(height, room)
  return {
    chosen,
    fitting,
    pageSize: chosen === 'fit' ? fitting : chosen,
    choose: (next: SizeChoice): number => {
      setChosen(next)
      writeStored('local', `pageSize.${resource.name}`, next)
      return next === 'fit' ? fitting : next
    },
    /** What was found on the screen. Kept, so that the first question of the next visit asks for the right number. */
    measured: (found: Room) => {
      if (found.rest === room.rest && found.row === room.row) return
      setRoom(found)
      writeStored('local', `room.${resource.name}`, found)
    },
  }
}

/** Of the window, once it stands still: dragging its edge asks the server once. */
const useSettledHeight = () => {
  const [height, setHeight] = useState(() => window.innerHeight)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const listen = () => {
      clearTimeout(timer)
      timer = setTimeout(() => setHeight(window.innerHeight), settleMs)
    }
    window.addEventListener('resize', listen)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('resize', listen)
    }
  }, [])
  return height
}
