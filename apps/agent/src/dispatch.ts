import { argsSchema, type CommandName, commands } from '@campanile/contract'
import { type CommandMessage, command, messageMaxBytes, type Reply } from '@campanile/contract/protocol'
import { type Context, handlerOf, isFarewell, isRepeatable, isUpdate, type Outcome } from './commands/index.ts'
import type { Hardware } from './hardware/port.ts'
import type { Entry, Journal } from './journal.ts'
import type { UpdateStep } from './update/context.ts'

const errorMax = 256
/** How much further an update has to be, and how much later it has to be, before that is told. */
const tellPercent = 5
const tellMs = 2_000

/** How far an update is, and how much of that the broker was given. */
interface Progress {
  step: UpdateStep
  percent: number
  told?: { step: UpdateStep; percent: number; time: number }
}

export interface DispatchParts {
  readonly hardware: Hardware
  readonly journal: Journal
  readonly now: () => number
  readonly contextFor: (message: CommandMessage) => Context
  /** By what to tell, after an end in the middle, whether a command had come to its own; and whether that is so now. */
  readonly markOf: (message: CommandMessage) => string | undefined
  readonly isPresent: (entry: Entry) => boolean
  /** Settles when the broker has taken it. */
  readonly publish: (payload: string) => Promise<void>
  readonly log: (line: string) => void
  /** Something on the device may have changed. */
  readonly done: () => void
}

/** Each id is done once, and answered as often as it is asked. */
export const createDispatcher = (parts: DispatchParts) => {
  const { hardware, journal, now, contextFor, publish, log, done } = parts
  /** Being done right now. */
  const underWay = new Set<string>()
  const updates = new Map<string, Progress>()
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

  /** A step that was taken by the broker is not announced again, in this run or the next. */
  const announce = async (id: string, update: Progress) => {
    const { step, percent, told } = update
    update.told = { step, percent, time: now() }
    try {
      await say({ id, state: 'progress', step, progress: percent })
    } catch {
      if (told) update.told = told
      else delete update.told
      return // Told again after the next connection.
    }
    const entry = journal.find(id)
    if (entry && entry.step !== step) await journal.write({ ...entry, step })
  }

  const tell = (id: string, step: UpdateStep, percent: number) => {
    const known = journal.find(id)?.step
    const update: Progress = updates.get(id) ?? {
      step: known ?? step,
      percent: 0,
      ...(known && { told: { step: known, percent, time: now() } }),
    }
    updates.set(id, update)
    if (update.step === 'upgrading' && step === 'downloading') return
    update.step = step
    update.percent = Math.max(update.percent, percent)
    const { told } = update
    const isFurther = told && update.percent >= told.percent + tellPercent && now() >= told.time + tellMs
    if (told?.step !== step || isFurther) announce(id, update).catch((error) => log(reasonOf(error)))
  }

  const finish = async (entry: Entry, answer: Reply) => {
    updates.delete(entry.id)
    const finished = { ...entry, answer }
    log(`${entry.name} ${entry.id}: ${answer.state}${answer.error ? ` (${answer.error})` : ''}`)
    // A disk that is full is no reason to keep the answer back.
    await journal.write(finished).catch((error) => log(`the journal cannot be written: ${reasonOf(error)}`))
    await deliver(finished)
  }

  const receive = async (payload: Uint8Array): Promise<void> => {
    const message = read(payload)
    if (!message) return log('ignored a message that is no command')
    const { id } = message
    const known = journal.find(id)
    if (known?.answer) return deliver(known)
    if (underWay.has(id)) return say({ id, state: 'acknowledged' })
    underWay.add(id)
    try {
      await carryOut(message)
    } finally {
      underWay.delete(id)
    }
  }

  const carryOut = async (message: CommandMessage): Promise<void> => {
    const { id, name, expires } = message
    const mark = parts.markOf(message)
    const step = journal.find(id)?.step
    const entry: Entry = { id, name, expires, boot: hardware.boot(), ...(mark && { mark }), ...(step && { step }) }
    if (expires <= now()) return finish(entry, failed(id, `expired: valid until ${iso(expires)}, now ${iso(now())}`))
    // Promises nothing yet: killed before it is written down, the device does it when it is asked again.
    say({ id, state: 'acknowledged' }).catch(() => undefined)

    let outcome: Outcome
    try {
      const perform = await prepare(message)
      // On disk before it begins: from here on it is not done again without a thought.
      await journal.write(entry)
      outcome = await perform()
    } catch (error) {
      return finish(entry, failed(id, reasonOf(error)))
    }
    await finish(entry, { id, state: 'done', ...(outcome.result ? { result: outcome.result } : {}) })
    if (outcome.after) await outcome.after()
    else done()
  }

  const prepare = async (message: CommandMessage): Promise<() => Promise<Outcome>> => {
    if (!isKnown(message.name)) throw new Error(`unknown command ${message.name}`)
    const args = argsSchema(message.name).safeParse(message.args)
    if (!args.success)
      throw new Error(`wrong arguments: ${args.error.issues.map(({ path }) => path.join('.')).join(', ')}`)
    const obstacle = await hardware.obstacle(message.name)
    if (obstacle) throw new Error(`not supported: ${obstacle}`)
    const handler = handlerOf(message.name)
    return () => handler(args.data, contextFor(message))
  }

  /** What became of a command that was begun in an earlier run; undefined when it is simply done again, once asked for. */
  const settled = async (entry: Entry): Promise<Reply | undefined> => {
    const { id, name } = entry
    const end = isUpdate(name) ? await hardware.updateEnded(id) : undefined
    if (end) return 'error' in end ? failed(id, end.error) : { id, state: 'done', result: end.result }
    if ((name === 'reboot' && entry.boot !== hardware.boot()) || (name === 'switchServer' && parts.isPresent(entry)))
      return { id, state: 'done' }
    if (isRepeatable(name)) return undefined
    return failed(id, 'the agent was stopped while doing it; how far it came is not known')
  }

  return {
    receive: (payload: Uint8Array) =>
      receive(payload).catch((error) => log(`a command could not be handled: ${reasonOf(error)}`)),

    /** Decides what was begun in an earlier run and never ended. */
    settle: async () => {
      underWay.clear()
      updates.clear()
      for (const entry of [...journal.all()]) {
        const answer = entry.answer ? undefined : await settled(entry)
        if (answer) await journal.write({ ...entry, answer })
      }
    },

    tell,

    /** Steps and answers the broker has not taken yet. */
    redeliver: async () => {
      for (const [id, update] of updates) if (update.told?.step !== update.step) await announce(id, update)
      for (const entry of [...journal.all()]) if (entry.answer && !entry.delivered) await deliver(entry)
    },

    /** Told that it was done, and ended before the last step. */
    unfinishedFarewell: (): string | undefined =>
      [...journal.all()].find(
        (entry) => isFarewell(entry.name) && entry.answer?.state === 'done' && parts.isPresent(entry),
      )?.name,
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
