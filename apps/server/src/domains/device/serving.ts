import type { Member } from '../../platform/live-messages.ts'
import type { Services } from '../../services.ts'
import type { Devices } from './link.ts'

const lookMs = 500

type Deps = Pick<Services, 'app' | 'liveMessages'> & { readonly devices: Pick<Devices, 'notServedSince'> }

type Say = (message: { type: string } & Record<string, unknown>) => void

/**
 * Whether devices are being served, told to every browser that asked once, as it changes: while the gateway is away nobody
 * knows who is there, and a screen that still says "online" is wrong.
 */
export const mountServing = ({ app, liveMessages, devices }: Deps) => {
  const listeners = new Map<Member, Say>()
  let timer: NodeJS.Timeout | undefined
  let told = devices.notServedSince()
  const message = () => ({ type: 'serving', notServedSince: told })
  const look = () => {
    const now = devices.notServedSince()
    if (now === told) return
    told = now
    for (const say of listeners.values()) say(message())
  }

  liveMessages.on('serving', (member, _asked, say) => {
    look()
    if (!listeners.has(member)) member.socket.once('close', () => listeners.delete(member))
    listeners.set(member, say)
    say(message())
  })
  app.addHook('onReady', async () => {
    timer = setInterval(look, lookMs)
  })
  app.addHook('onClose', async () => clearInterval(timer))
}
