import { addSeconds } from '../../platform/clock.ts'
import type { Services } from '../../services.ts'
import { sweepCaptchas } from './captcha.store.ts'
import { sweepSessions } from './session.store.ts'
import { sweepNetworks } from './sign-in-network.store.ts'
import { sweepTickets } from './ticket.store.ts'

const everyMs = 60_000
const day = 86_400
/** How long somebody counts as known at an address. */
const networkDays = 90

type Deps = Pick<Services, 'db' | 'clock' | 'settings' | 'rateLimit'>

/** What has run out goes; a session only a day addSeconds, so that whoever comes back is told "over" and not "unknown". */
export const sweep = async ({ db, clock, settings, rateLimit }: Deps): Promise<void> => {
  const now = clock.now()
  const { sessionIdleMinutes, sessionAbsoluteHours } = await settings.all()
  await sweepTickets(db, now)
  await sweepCaptchas(db, now)
  await rateLimit.sweep()
  await sweepNetworks(db, addSeconds(now, -networkDays * day))
  await sweepSessions(db, {
    ended: addSeconds(now, -day),
    idle: addSeconds(now, -day - sessionIdleMinutes * 60),
    absolute: addSeconds(now, -day - sessionAbsoluteHours * 3600),
  })
}

export const startHousekeeping = (services: Services) => {
  const { app, log } = services
  let timer: NodeJS.Timeout | undefined
  app.addHook('onReady', async () => {
    timer = setInterval(() => {
      sweep(services).catch((err: unknown) => log.warn({ err }, 'what has run out could not be swept'))
    }, everyMs)
  })
  app.addHook('onClose', async () => clearInterval(timer))
}
