import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { readIfPresent, writePrivate } from '../identity.ts'
import { syncFolder } from './disk.ts'

/**
 * The change from one version to another. It is written down before anything is changed and after each step, so that
 * whoever finds it knows what to do: `switching` and `trying` are tried (again), `returning` goes back, the last two have ended.
 */
const schema = z.object({
  /** The command that asked for it. */
  id: z.string(),
  from: z.string().optional(),
  to: z.string().optional(),
  phase: z.enum(['switching', 'trying', 'returning', 'confirmed', 'returned']),
  /** Why it went back. */
  reason: z.string().optional(),
  /** Which run of the machine it was when a version was last put in use. */
  boot: z.string().optional(),
  /** How often an agent has found it half done. */
  found: z.number(),
})
export type Trial = z.infer<typeof schema>

/** Where one version of something is in use, and another can take its place. */
export interface Place {
  /** Makes this version the one in use, at one moment; nothing takes it out of use. */
  point(version: string | undefined): Promise<void>
  /** Has the version in use run. One that starts the machine anew settles only when that fails. */
  start(): Promise<void>
  readonly startsMachine: boolean
  /** Rejects with what is wrong when the version in use does not prove itself in time. */
  check(): Promise<void>
}

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** Found half done so often, the new version is taken for what ends the agent. */
const foundMax = 3

export interface Trials {
  /** Changes the version in use; rejects with the reason when the one before is in use again. */
  change(name: string, place: Place, trial: Pick<Trial, 'id' | 'from' | 'to'>): Promise<void>
  /** Ends what an earlier run has left half done. */
  recover(placeOf: (name: string) => Place | undefined): Promise<void>
  /** What became of the change a command asked for. */
  ended(id: string): Promise<Trial | undefined>
}

export const createTrials = (folder: string, boot: string, log: (line: string) => void): Trials => {
  const pathOf = (name: string) => join(folder, `${encodeURIComponent(name)}.json`)
  const save = async (name: string, trial: Trial): Promise<Trial> => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writePrivate(pathOf(name), JSON.stringify(trial))
    await syncFolder(folder)
    return trial
  }
  const names = async () =>
    (await readdir(folder).catch(() => []))
      .filter((file) => file.endsWith('.json'))
      .map((file) => decodeURIComponent(file.slice(0, -'.json'.length)))
  const load = async (name: string): Promise<Trial | undefined> =>
    schema.safeParse(JSON.parse((await readIfPresent(pathOf(name))) ?? 'null')).data

  const goBack = async (name: string, place: Place, trial: Trial, reason: string) => {
    log(`${name}: back to ${trial.from ?? 'nothing'}: ${reason}`)
    const returning = await save(name, { ...trial, phase: 'returning', reason, boot })
    await place.point(trial.from)
    // A machine goes down here; the next run finds that it has been started since.
    await place.start().catch((error) => log(`${name}: the version before does not start: ${wordsOf(error)}`))
    await save(name, { ...returning, phase: 'returned' })
  }

  const proceed = async (name: string, place: Place, trial: Trial): Promise<Trial> => {
    let now = trial
    try {
      if (now.phase === 'switching') {
        await place.point(now.to)
        now = await save(name, { ...now, phase: 'trying', boot })
      }
      // A service is started again for certain; a machine that has been started since runs the new one already.
      if (!place.startsMachine || now.boot === boot) await place.start()
      await place.check()
      return await save(name, { ...now, phase: 'confirmed' })
    } catch (error) {
      await goBack(name, place, now, wordsOf(error))
      throw error
    }
  }

  return {
    change: async (name, place, trial) => {
      await proceed(name, place, await save(name, { ...trial, phase: 'switching', found: 0 }))
    },

    recover: async (placeOf) => {
      for (const name of await names()) {
        const trial = await load(name)
        const place = placeOf(name)
        if (!trial || !place || trial.phase === 'confirmed' || trial.phase === 'returned') continue
        const found = await save(name, { ...trial, found: trial.found + 1 })
        if (found.phase === 'returning' && place.startsMachine && found.boot !== boot)
          await save(name, { ...found, phase: 'returned' })
        else if (found.phase === 'returning') await goBack(name, place, found, found.reason ?? '')
        else if (found.found > foundMax)
          await goBack(name, place, found, `installFailed: the agent was ended ${foundMax} times while it was tried`)
        else await proceed(name, place, found).catch(() => undefined)
      }
    },

    ended: async (id) => {
      for (const name of await names()) {
        const trial = await load(name)
        if (trial?.id === id && (trial.phase === 'confirmed' || trial.phase === 'returned')) return trial
      }
      return undefined
    },
  }
}
