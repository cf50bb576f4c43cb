import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'

export const serialOf = (n: number) => `BENCH-${String(n).padStart(7, '0')}`
export const secretOf = (sn: string) => `secret-of-${sn}`

export type ToFleet =
  | {
      do: 'connect'
      port: number
      from: number
      count: number
      listens: boolean
      keepalive: number
      returns: boolean
    }
  /** `rate` is of all together; 0 says the next as soon as the last is acknowledged. */
  | { do: 'publish'; seconds: number; rate: number; inFlight: number }
  | { do: 'stand' }
  | { do: 'safe' }
  | { do: 'end' }
export interface FromFleet {
  open: number
  acknowledged: number
  /** Devices that were given a command, and commands given twice. */
  commands: number
  repeated: number
  p50: number
  p99: number
  /** Microseconds of processor. */
  cpu: number
  safe?: (readonly [sn: string, ts: number])[]
}

/** Registered, with credentials; not connected. */
export const register = (owner: pg.Client, count: number) =>
  owner.query(`
    insert into device (sn, department_id, device_type, batch_number, activation_status, credential_hash)
      select s.sn, (select id from department where parent_id is null), 1 + n % 16, 'bench', 2,
        sha256(convert_to('secret-of-' || s.sn, 'UTF8'))
      from generate_series(1, ${count}) n cross join lateral (select 'BENCH-' || lpad(n::text, 7, '0') as sn) s;
    analyze device; analyze device_state; checkpoint`)

/** A process of simulated devices; each order is answered when it is carried out. */
export const startFleet = (execArgv: string[] = []) => {
  const child: ChildProcess = fork(fileURLToPath(new URL('./fleet-process.ts', import.meta.url)), [], {
    execArgv: ['--import', 'tsx', ...execArgv],
    serialization: 'advanced',
  })
  const ask = async (order: ToFleet): Promise<FromFleet> => {
    child.send(order)
    const [answer] = (await once(child, 'message')) as [FromFleet]
    return answer
  }
  return {
    pid: child.pid ?? 0,
    connect: (port: number, count: number, more: Partial<Extract<ToFleet, { do: 'connect' }>> = {}) =>
      ask({ do: 'connect', port, from: 0, count, listens: false, keepalive: 0, returns: false, ...more }),
    publish: (seconds: number, { rate = 0, inFlight = 1 } = {}) => ask({ do: 'publish', seconds, rate, inFlight }),
    stand: () => ask({ do: 'stand' }),
    safe: async () => (await ask({ do: 'safe' })).safe ?? [],
    end: async () => {
      const ended = once(child, 'exit')
      child.send({ do: 'end' } satisfies ToFleet)
      await ended
    },
  }
}
