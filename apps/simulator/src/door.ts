import type { Timers } from '@campanile/agent'
import type { DeviceEvent, StateValues } from '@campanile/contract/protocol'
import { between, pick } from './random.ts'

const usualSeconds = 5
const hourMs = 3_600_000
/** People who pass in an hour of a busy day. */
const passing = 4

type State = NonNullable<StateValues['door']>

/** A door that opens by order, by card and once in a while by force, and closes by itself. */
export const createDoor = (random: () => number, timers: Timers) => {
  let state: State = 'closed'
  let cancelClosing = () => {}
  let told = 0
  let seen = timers.now()
  const turn = (next: State) => {
    cancelClosing()
    state = next
  }
  const open = (seconds = usualSeconds) => {
    if (state === 'keptOpen') return
    turn('open')
    cancelClosing = timers.after(seconds * 1000, () => turn('closed'))
  }
  const happening = (now: number, what: string, level: 'info' | 'major', data: object): DeviceEvent => {
    told += 1
    return { id: `door-${now.toString(36)}-${told}`, ts: now, type: 'doorChanged', level, data: { what, ...data } }
  }

  return {
    get state() {
      return state
    },
    open,
    close: () => turn('closed'),
    keepOpen: () => turn('keptOpen'),
    /** Who passed since the last look. */
    look: (now: number, bustle: number): DeviceEvent[] => {
      const hours = Math.max(0, now - seen) / hourMs
      seen = now
      if (state !== 'closed' || random() >= Math.min(1, hours * passing * bustle)) return []
      open(between(random, 3, 8))
      if (random() < 0.01) return [happening(now, 'forced', 'major', {})]
      return [happening(now, 'opened', 'info', { means: pick(random, ['card', 'face', 'button']) })]
    },
  }
}
