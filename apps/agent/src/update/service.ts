import { setTimeout as sleep } from 'node:timers/promises'
import type { Machine } from '../hardware/linux/machine.ts'
import { asFault, UpdateFailed } from './fault.ts'

/** How something on the machine is started, and how it proves that it works; as `config.json` says. */
export interface Service {
  readonly unit?: string | undefined
  readonly restart?: readonly string[] | undefined
  readonly health?: readonly string[] | undefined
  readonly healthSeconds: number
}

const pauseMs = 500

const run = (
  machine: Machine,
  command: readonly string[],
  env: Readonly<Record<string, string>>,
  timeoutMs: number,
) => {
  const [program = '', ...args] = command
  return machine.run(program, args, { env, timeoutMs })
}

export const startService = async (machine: Machine, service: Service, env: Readonly<Record<string, string>>) => {
  const timeoutMs = Math.max(60_000, service.healthSeconds * 1000)
  try {
    if (service.restart) await run(machine, service.restart, env, timeoutMs)
    else if (service.unit) await machine.run('systemctl', ['restart', '--', service.unit])
  } catch (error) {
    throw asFault(error, 'installFailed')
  }
}

/** Asks until it is well or its time is over. Without a program of its own, a unit is well that stays active. */
export const checkService = async (machine: Machine, service: Service, env: Readonly<Record<string, string>>) => {
  const { unit, health, healthSeconds } = service
  const ask = async () => {
    if (health) await run(machine, health, env, healthSeconds * 1000)
    if (unit && machine.hasSystemd) await machine.run('systemctl', ['is-active', '--', unit])
  }
  // A service that dies a moment later was never well.
  if (!health && unit) await sleep(Math.min(healthSeconds, 5) * 1000)
  const until = Date.now() + healthSeconds * 1000
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (Date.now() + pauseMs >= until)
        throw new UpdateFailed('notHealthy', error instanceof Error ? error.message : String(error))
    }
    await sleep(pauseMs)
  }
}
