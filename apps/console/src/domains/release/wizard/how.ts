import {
  carefulWaves,
  type InstallMode,
  type ReleaseKindSpec,
  type ReleaseMode,
  type ReleaseOptions,
  type Wave,
  wavesMax,
} from '@campanile/contract/release'

/** Whose clocks a time is read by: the reader's own, each organisation's or each device's. */
export const clocks = ['mine', 'organisation', 'device'] as const
export type Clock = (typeof clocks)[number]

export interface OwnWave {
  readonly unit: 'devices' | 'percent'
  readonly amount: number | null
  /** Nothing: as long as all others. */
  readonly bakeMinutes: number | null
}

/** Ways to divide a release that need no thinking, the most careful first. */
export const presets = {
  careful: carefulWaves,
  steady: [{ devices: 1 }, { percent: 10 }, { percent: 100 }],
  halves: [{ percent: 50 }, { percent: 100 }],
  once: [{ percent: 100 }],
} as const satisfies Record<string, readonly Wave[]>
export type Preset = keyof typeof presets
export const presetNames = Object.keys(presets) as Preset[]

/** All that is asked about how a release goes, as it stands in the fields. */
export interface How {
  readonly action: string
  readonly mode: ReleaseMode
  /** By the clocks that were chosen, without a distance from UTC. */
  readonly time: string | null
  readonly clock: Clock
  readonly installMode: InstallMode | undefined
  /** What the kind asks for beside, as it stands in its fields. */
  readonly given: Readonly<Record<string, unknown>>
  readonly pace: Preset | 'own'
  readonly waves: readonly OwnWave[]
  readonly bakeMinutes: number | null
  readonly failPercent: number | null
  readonly failCount: number | null
  readonly successPercent: number | null
  readonly online: boolean
  readonly heartbeat: boolean
  readonly noCrash: boolean
  readonly maintenance: boolean
  readonly minBattery: number | null
  readonly wifiOnly: boolean
  readonly kilobytesPerSecond: number | null
  readonly published: number | null
  readonly downloading: number | null
  readonly upgrading: number | null
  readonly retries: number | null
  readonly rollBack: boolean
  readonly description: string
}

const ownWave = (wave: Wave): OwnWave => ({
  unit: 'devices' in wave ? 'devices' : 'percent',
  amount: 'devices' in wave ? wave.devices : wave.percent,
  bakeMinutes: wave.bakeMinutes ?? null,
})

const same = (a: readonly Wave[], b: readonly Wave[]) => JSON.stringify(a) === JSON.stringify(b)
const presetOf = (waves: readonly Wave[]): Preset | undefined => presetNames.find((name) => same(presets[name], waves))

/** What the kind says where nobody says anything. */
export const startOf = (
  {
    actions,
    modes,
    installModes,
    fields = {},
    defaults,
  }: Pick<ReleaseKindSpec, 'actions' | 'modes' | 'installModes' | 'fields' | 'defaults'>,
  action?: string,
): How => {
  const waves = defaults.waves ?? carefulWaves
  return {
    action: action !== undefined && actions.includes(action) ? action : actions[0],
    mode: modes[0],
    time: null,
    clock: 'mine',
    installMode: installModes[0],
    given: Object.fromEntries(Object.entries(fields).map(([name, { initial }]) => [name, initial ?? null])),
    pace: presetOf(waves) ?? 'own',
    waves: waves.map(ownWave),
    bakeMinutes: defaults.bakeMinutes ?? 0,
    failPercent: defaults.failPercent ?? null,
    failCount: defaults.failCount ?? null,
    successPercent: defaults.successPercent || null,
    online: defaults.health?.online ?? false,
    heartbeat: defaults.health?.heartbeat ?? false,
    noCrash: defaults.health?.noCrash ?? false,
    maintenance: defaults.maintenance ?? false,
    minBattery: defaults.minBattery ?? null,
    wifiOnly: defaults.wifiOnly ?? false,
    kilobytesPerSecond: defaults.bytesPerSecond === undefined ? null : Math.round(defaults.bytesPerSecond / 1024),
    published: defaults.timeoutMinutes?.published ?? null,
    downloading: defaults.timeoutMinutes?.downloading ?? null,
    upgrading: defaults.timeoutMinutes?.upgrading ?? null,
    retries: defaults.retries ?? null,
    rollBack: defaults.rollBack ?? false,
    description: '',
  }
}

/** Choosing a way to divide it shows its waves, so that they can be changed from there. */
export const withPace = (how: How, pace: How['pace']): How =>
  pace === 'own' ? { ...how, pace } : { ...how, pace, waves: presets[pace].map(ownWave) }

/** One more before the last, which takes whoever is left. */
export const withWave = (how: How): How => {
  if (how.waves.length >= wavesMax) return how
  const last = how.waves.at(-1)
  const before = how.waves.slice(0, -1)
  const highest = Math.max(0, ...before.map(({ unit, amount }) => (unit === 'percent' ? (amount ?? 0) : 0)))
  const added: OwnWave = { unit: 'percent', amount: Math.min(99, Math.max(1, highest * 2 || 10)), bakeMinutes: null }
  return { ...how, pace: 'own', waves: [...before, added, ...(last ? [last] : [])] }
}
export const withoutWave = (how: How, at: number): How => ({
  ...how,
  pace: 'own',
  waves: how.waves.filter((_, each) => each !== at),
})

const wavesOf = ({ waves }: How): Wave[] =>
  waves.map(({ unit, amount, bakeMinutes }, at) => {
    const bake = bakeMinutes === null ? {} : { bakeMinutes }
    if (at === waves.length - 1) return { percent: 100, ...bake }
    return unit === 'devices' ? { devices: amount ?? 1, ...bake } : { percent: amount ?? 1, ...bake }
  })

const said = <T extends object>(values: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined)) as never

/** The options as they are sent; what does not concern the kind is left out. */
export const optionsOf = (how: How, { conditions }: Pick<ReleaseKindSpec, 'conditions'>): ReleaseOptions => {
  const { online, heartbeat, noCrash, published, downloading, upgrading, kilobytesPerSecond } = how
  const may = (name: ReleaseKindSpec['conditions'][number]) => conditions.includes(name)
  return {
    waves: wavesOf(how),
    ...said({
      bakeMinutes: how.bakeMinutes,
      failPercent: how.failPercent,
      failCount: how.failCount,
      retries: how.retries,
    }),
    successPercent: how.successPercent ?? 0,
    health: { online, heartbeat, noCrash },
    maintenance: how.maintenance,
    timeoutMinutes: said({ published, downloading, upgrading }),
    ...(may('minBattery') && how.minBattery !== null && { minBattery: how.minBattery }),
    ...(may('wifiOnly') && { wifiOnly: how.wifiOnly }),
    ...(may('bytesPerSecond') && kilobytesPerSecond !== null && { bytesPerSecond: kilobytesPerSecond * 1024 }),
    ...(may('rollBack') && { rollBack: how.rollBack }),
  }
}

/** When it begins, as it is sent; nothing where it begins at once. */
export const beginningOf = ({
  mode,
  time,
  clock,
}: Pick<How, 'mode' | 'time' | 'clock'>): { beginTime?: string; zone?: 'organisation' | 'device' } => {
  if (mode !== 'scheduled' || time === null) return {}
  return clock === 'mine' ? { beginTime: new Date(time).toISOString() } : { beginTime: time, zone: clock }
}

export type HowFault = 'timeWanted' | 'timePassed' | 'waveAmount' | 'waveOrder'

/** What keeps it from being sent, and the field that says so. */
export const faultOf = (how: How, now: Date): HowFault | undefined => {
  if (how.mode === 'scheduled') {
    if (how.time === null) return 'timeWanted'
    // Other clocks are at most a day away: whether those have passed the server says.
    if (how.clock === 'mine' && new Date(how.time) <= now) return 'timePassed'
  }
  const shares = how.waves.slice(0, -1)
  if (shares.some(({ amount }) => amount === null)) return 'waveAmount'
  const percents = shares.flatMap(({ unit, amount }) => (unit === 'percent' ? [amount ?? 0] : []))
  return percents.some((percent, at) => at > 0 && percent <= (percents[at - 1] ?? 0)) ? 'waveOrder' : undefined
}
