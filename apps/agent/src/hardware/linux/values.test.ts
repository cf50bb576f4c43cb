import { expect, it } from 'vitest'
import { cpuTicks, interfaceBytes, memoryUsed, wirelessSignal } from './values.ts'

it('reads busy and all ticks of the processor', () => {
  expect(cpuTicks('cpu  100 5 45 800 50 0 0 0 7 0\ncpu0 1 1 1 1\n')).toEqual({ busy: 150, all: 1000 })
})
it('reads the share of memory in use', () => {
  expect(memoryUsed('MemTotal:  1000 kB\nMemFree: 100 kB\nMemAvailable:   400 kB\n')).toBe(60)
  expect(memoryUsed('')).toBeUndefined()
})
it('reads the bytes of each interface but the machine itself', () => {
  const text = `Inter-|   Receive                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets
    lo: 5 1 0 0 0 0 0 0 5 1 0 0 0 0 0 0
  eth0:1234 10 0 0 0 0 0 0 567 9 0 0 0 0 0 0`
  expect(interfaceBytes(text)).toEqual([{ name: 'eth0', down: 1234, up: 567 }])
})
it('reads the strength of the wireless network', () => {
  const text = `Inter-| sta-|   Quality        |
 face | tus | link level noise |
 wlan0: 0000   54.  -56.  -256        0      0      0     13      0        0`
  expect(wirelessSignal(text)).toBe(-56)
  expect(wirelessSignal('')).toBeUndefined()
})
