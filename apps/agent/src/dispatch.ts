import { type CommandName, commands } from '@campanile/contract'
import { type CommandMessage, command, messageMaxBytes, type Reply } from '@campanile/contract/protocol'
import { type Context, handlers, type Outcome } from './commands/index.ts'
import type { Hardware } from './hardware/port.ts'
import type { Entry, Journal } from './journal.ts'

const errorMax = 256

export interface DispatchParts {
  readonly hardware: Hardware
  readonly journal: Journal
  readonly now: () => number
  readonly contextFor: (message: CommandMessage) => Context
  /** Settles when the broker has taken it. */
  readonly publish: (payload: string) => Promise<void>
  readonly log: (line: string) => void
  /** Something on the device may have changed. */
  readonly done: () => void
}

/** Each id is begun once, and answered as often as it is asked. */
export const createDispatcher = ({ hardware, journal, now, contextFor, publish, log, done }: DispatchParts) => {
  const say = (reply: Reply) => publish(JSON.stringify(reply))

  const deliver = async (entry: Entry) => {
    if (!entry.answer) return
    try {
      await say(fitting(entry.answer))
    } catch {
      return // Told again after the next connection.
    }
    if (!entry.delivered) await journal.write({ ...entry, delivered: true })
  }

  const finish = async (entry: Entry, answer: Reply) => {
    const finished = { ...entry, answer }
    await journal.write(finished)
    log(`${entry.name} ${entry.id}: ${answer.state}${answer.error ? ` (${answer.error})` : ''}`)
    await deliver(finished)
  }

  const receive = async (payload: Uint8Array): Promise<void> => {
    const message = read(payload)
    if (!message) return log('ignored a message that is no command')
    const { id, name, expires } = message
    const known = journal.find(id)
    if (known) return known.answer ? deliver(known) : say({ id, state: 'acknowledged' })

    const entry: Entry = { id, name, expires, boot: hardware.boot() }
    await journal.write(entry)
    if (expires <= now()) return finish(entry, failed(id, `expired: valid until ${iso(expires)}, now ${iso(now())}`))
    // Lost with the connection, it is not missed: the final answer says more.
    say({ id, state: 'acknowledged' }).catch(() => undefined)

    let outcome: Outcome
    try {
      outcome = await perform(message)
    } catch (error) {
      return finish(entry, failed(id, reasonOf(error)))
    }
    await finish(entry, { id, state: 'done', ...(outcome.result ? { result: outcome.result } : {}) })
    if (outcome.after) await outcome.after()
    else done()
  }

  const perform = async (message: CommandMessage): Promise<Outcome> => {
    if (!isKnown(message.name)) throw new Error(`unknown command ${message.name}`)
    const args = commands[message.name].args.safeParse(message.args)
    if (!args.success)
      throw new Error(`wrong arguments: ${args.error.issues.map(({ path }) => path.join('.')).join(', ')}`)
    const obstacle = await hardware.obstacle(message.name)
    if (obstacle) throw new Error(`not supported: ${obstacle}`)
    // The table pairs each name with its own arguments; the compiler cannot follow that through a variable.
    const handler = handlers[message.name] as (args: unknown, context: Context) => Promise<Outcome>
    return handler(args.data, contextFor(message))
  }

  return {
    receive: (payload: Uint8Array) =>
      receive(payload).catch((error) => log(`a command could not be handled: ${reasonOf(error)}`)),

    /** What was begun in an earlier run and never ended. It is not done again: nobody knows how far it came. */
    settle: async () => {
      for (const entry of [...journal.all()]) {
        if (entry.answer) continue
        const rebooted = entry.name === 'reboot' && entry.boot !== hardware.boot()
        const answer: Reply = rebooted
          ? { id: entry.id, state: 'done' }
          : failed(entry.id, 'the agent was stopped while doing it; how far it came is not known')
        await journal.write({ ...entry, answer })
      }
    },

    /** Answers the broker has not taken yet. */
    redeliver: async () => {
      for (const entry of [...journal.all()]) if (entry.answer && !entry.delivered) await deliver(entry)
    },
  }
}

const read = (payload: Uint8Array): CommandMessage | undefined => {
  if (payload.byteLength > messageMaxBytes) return undefined
  try {
    return command.safeParse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload))).data
  } catch {
    return undefined
  }
}

const isKnown = (name: string): name is CommandName => Object.hasOwn(commands, name)
const failed = (id: string, error: string): Reply => ({ id, state: 'failed', error: error.slice(0, errorMax) })
const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error)) || 'no reason known'
const iso = (time: number) => (Number.isFinite(new Date(time).getTime()) ? new Date(time).toISOString() : String(time))

const fitting = (reply: Reply): Reply =>
  Buffer.byteLength(JSON.stringify(reply)) <= messageMaxBytes
    ? reply
    : { id: reply.id, state: reply.state, result: { omitted: 'the result is larger than a message' } }
