import { z } from 'zod'

/** When devices are told: at once those that are connected, each when it comes, or all at a time. */
export const releaseModes = ['realTime', 'offline', 'scheduled'] as const
export type ReleaseMode = (typeof releaseModes)[number]
/** Whose clocks a time is read by that is given without its distance from UTC. */
export const releaseZones = ['organisation', 'device'] as const
/** How a device goes about it. */
export const installModes = ['nonSilent', 'silent', 'semiSilent', 'downloadOnly', 'publishOnly'] as const
export type InstallMode = (typeof installModes)[number]

export const wavesMax = 10
export const bakeMinutesMax = 7 * 24 * 60
export const releaseRetriesMax = 5
/** The longest a state of a device may last. */
export const stateMinutesMax = 30 * 24 * 60

const bakeMinutes = z.number().int().min(0).max(bakeMinutesMax)
const percent = z.number().int().min(1).max(100)
/** So many devices, or so many that this share of all has been told with it. The last wave takes whoever is left. */
const wave = z.union([
  z.strictObject({ devices: z.number().int().min(1).max(10_000), bakeMinutes: bakeMinutes.optional() }),
  z.strictObject({ percent, bakeMinutes: bakeMinutes.optional() }),
])
export type Wave = z.output<typeof wave>

const stateMinutes = z.number().int().min(1).max(stateMinutesMax)
/** How careful a release is. What is left out is as its kind says. */
export const releaseOptions = z.strictObject({
  waves: z.array(wave).min(1).max(wavesMax).optional(),
  /** How long a wave is looked at before the next begins, where it says nothing itself. */
  bakeMinutes: bakeMinutes.optional(),
  /** Stops by itself when more than this share of a wave has failed. */
  failPercent: z.number().int().min(0).max(100).optional(),
  /** The same when so many of a wave have failed. */
  failCount: z.number().int().min(1).max(10_000).optional(),
  /** So many of a wave have to succeed before the next begins. */
  successPercent: z.number().int().min(0).max(100).optional(),
  /** What must hold of devices that succeeded before the next wave begins. */
  health: z
    .strictObject({
      online: z.boolean().optional(),
      /** It has said something since. */
      heartbeat: z.boolean().optional(),
      /** It has told of no crash since. */
      noCrash: z.boolean().optional(),
    })
    .optional(),
  /** Only while the maintenance window of each device's organisation is open. */
  maintenance: z.boolean().optional(),
  minBattery: z.number().int().min(0).max(100).optional(),
  wifiOnly: z.boolean().optional(),
  /** The most a device fetches in a second. */
  bytesPerSecond: z.number().int().min(1024).max(1_000_000_000).optional(),
  timeoutMinutes: z
    .strictObject({
      published: stateMinutes.optional(),
      downloading: stateMinutes.optional(),
      upgrading: stateMinutes.optional(),
    })
    .optional(),
  /** How often it is tried again by itself, each time after a longer while. */
  retries: z.number().int().min(0).max(releaseRetriesMax).optional(),
  /** A device that can goes back by itself when the new does not work. */
  rollBack: z.boolean().optional(),
})
export type ReleaseOptions = z.output<typeof releaseOptions>

/** One device, one in a hundred, one in ten, all. */
export const carefulWaves: readonly Wave[] = [{ devices: 1 }, { percent: 1 }, { percent: 10 }, { percent: 100 }]

/** How many devices each wave takes of so many; waves that would be empty fall away. */
export const waveSizes = (waves: readonly Wave[], total: number): { wave: Wave; devices: number }[] => {
  let told = 0
  const sizes = waves.map((wave, at) => {
    const upTo = 'devices' in wave ? told + wave.devices : Math.ceil((wave.percent * total) / 100)
    const end = at === waves.length - 1 ? total : Math.min(total, Math.max(told, upTo))
    const devices = end - told
    told = end
    return { wave, devices }
  })
  return sizes.filter(({ devices }) => devices > 0)
}
