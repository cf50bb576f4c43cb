import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { createDoors } from './doors.ts'

const fakeSocket = () => {
  const socket = Object.assign(new EventEmitter(), {
    bytesRead: 0,
    destroyed: false,
    destroy: () => {
      socket.destroyed = true
      socket.emit('close')
    },
  })
  return socket
}
let doors: ReturnType<typeof createDoors> | undefined
afterEach(() => doors?.stop())

it('counts who owns a whole IPv6 network once, however many of its addresses come', () => {
  doors = createDoors(() => undefined, { perAddress: 3 })
  const enter = (address: string) => {
    const socket = fakeSocket()
    doors?.enter(socket as unknown as Socket, address)
    return socket
  }
  const neighbour = enter('2001:db8:1:3::1')
  const flood = Array.from({ length: 10 }, (_, n) => enter(`2001:db8:1:2::${n.toString(16)}`))
  expect(flood.filter(({ destroyed }) => !destroyed)).toHaveLength(3)
  expect(neighbour.destroyed).toBe(false)
})
