import type { DeviceEvent, StateValues } from '@campanile/contract/protocol'
import type { Profile } from './profiles.ts'
import { between, pick } from './random.ts'

const hourMs = 3_600_000
const lowBattery = 15
const metresPerDegree = 111_320
/** Seconds a robot stays in a state, shortest and longest. */
const stays = { working: [600, 3000], idle: [120, 900], breakdown: [300, 1200] } as const

type RobotState = NonNullable<StateValues['robotState']>

export interface Life {
  /** Lets the time since the last look pass, and tells what is to be seen now. */
  look(now: number): { values: StateValues; events: DeviceEvent[] }
  startAnew(now: number): void
}

/** People use devices by day; the fleet's towns share one time zone (UTC+8). */
export const bustle = (now: number): number => {
  const hour = (now / hourMs + 8) % 24
  return hour < 6 ? 0.15 : hour < 8 ? 0.5 : hour < 19 ? 1 : hour < 22 ? 0.6 : 0.25
}

export const createLife = (
  profile: Profile,
  random: () => number,
  town: readonly [number, number],
  start: number,
): Life => {
  const network = pick(random, profile.network)
  const isMobile = /G$/.test(network)
  let seen = start
  let booted = start - between(random, 1, 30) * 24 * hourMs
  let battery = between(random, 25, 100)
  let charging = random() < 0.3
  let load = random()
  let disk = between(random, 20, 75)
  let signal = isMobile ? between(random, -105, -70) : between(random, -75, -45)
  let longitude = town[0] + between(random, -0.12, 0.12)
  let latitude = town[1] + between(random, -0.1, 0.1)
  let heading = between(random, 0, 2 * Math.PI)
  let up = Math.round(between(random, 1e6, 1e8))
  let down = up * 4
  let robot: RobotState = 'idle'
  let robotUntil = start + between(random, 0, 600) * 1000
  let paper = 'ok'
  let told = 0

  const happening = (
    now: number,
    type: string,
    level: 'info' | 'minor' | 'major',
    text: string,
    data?: DeviceEvent['data'],
  ): DeviceEvent => {
    told += 1
    return { id: `${now.toString(36)}-${told}`, ts: now, type, level, text, ...(data && { data }) }
  }

  const power = (hours: number, now: number, events: DeviceEvent[]) => {
    if (!profile.batteryHours) return
    const before = battery
    const use = profile.robot && robot !== 'working' ? 0.3 : 0.4 + load
    battery += charging ? hours * 45 : (-hours * 100 * use) / profile.batteryHours
    battery = Math.min(100, Math.max(1, battery))
    if (before >= lowBattery && battery < lowBattery) {
      const percent = Math.round(battery)
      events.push(happening(now, 'batteryLow', 'minor', `battery at ${percent} %`, { percent }))
    }
    if (profile.robot) charging = robot === 'charging'
    else if (battery < 12 || (!charging && random() < hours * 0.1)) charging = true
    else if (charging && (battery >= 99 || random() < hours * 0.4)) charging = false
  }

  const work = (now: number, events: DeviceEvent[]) => {
    const enter = (next: Exclude<RobotState, 'charging'>) => {
      robot = next
      const [shortest, longest] = stays[next]
      robotUntil = now + between(random, shortest, longest) * 1000
    }
    if (robot === 'charging') {
      if (battery >= 95) enter('idle')
    } else if (robot !== 'breakdown' && battery < 20) robot = 'charging'
    else if (now < robotUntil) return
    else if (robot === 'breakdown') {
      events.push(happening(now, 'robotRecovered', 'info', 'back in service'))
      enter('idle')
    } else if (random() < 0.04) {
      const why = pick(random, [
        'wheel motor blocked',
        'lidar gives no data',
        'lost its place on the map',
        'emergency stop pressed',
      ])
      events.push(happening(now, 'robotBreakdown', 'major', why))
      enter('breakdown')
    } else enter(robot === 'idle' && random() < 0.3 + 0.6 * bustle(now) ? 'working' : 'idle')
  }

  /** Turns a little at each look, and back when it gets too far from its town. */
  const roam = (seconds: number, now: number) => {
    const moves = profile.speed && !charging && random() < bustle(now) * 0.8 && (!profile.robot || robot === 'working')
    if (!moves || !profile.speed) return
    const far = Math.hypot(longitude - town[0], latitude - town[1]) > 0.15
    heading = far ? Math.atan2(town[1] - latitude, town[0] - longitude) : heading + between(random, -0.8, 0.8)
    // A robot has a building, a phone has a city.
    const metres = profile.speed * Math.min(seconds, profile.robot ? 5 : 300)
    longitude += (Math.cos(heading) * metres) / (metresPerDegree * Math.cos((latitude * Math.PI) / 180))
    latitude += (Math.sin(heading) * metres) / metresPerDegree
  }

  const walk = (seconds: number, now: number) => {
    const pull = Math.min(1, seconds / 300)
    load = Math.min(1, Math.max(0, load + pull * (bustle(now) * 0.6 - load) + between(random, -0.12, 0.12)))
    signal = Math.min(-40, Math.max(-118, signal + between(random, -2, 2)))
    disk = Math.min(97, disk + seconds * 2e-6 * random())
    const bytes = seconds * load * between(random, 200, 4000)
    up += Math.round(bytes)
    down += Math.round(bytes * between(random, 2, 8))
    if (profile.printer && random() < 0.004) paper = paper === 'ok' ? pick(random, ['paper low', 'out of paper']) : 'ok'
  }

  const whole = Math.round
  const share = ([low, high]: readonly [number, number]) => low + (high - low) * load

  return {
    look: (now) => {
      const events: DeviceEvent[] = []
      const seconds = Math.max(0, now - seen) / 1000
      seen = now
      if (seconds > 0) {
        walk(seconds, now)
        if (profile.robot) work(now, events)
        power(seconds / 3600, now, events)
        roam(seconds, now)
      }
      const values: StateValues = {
        cpu: whole(share(profile.cpu)),
        memory: whole(share(profile.memory)),
        cpuTemperature: whole(36 + 34 * (share(profile.cpu) / 100)),
        disk: whole(disk),
        // Whole hours: a value that always changes is always sent.
        uptime: Math.floor((now - booted) / hourMs) * 3600,
        networkType: network,
        longitude: whole(longitude * 1e5) / 1e5,
        latitude: whole(latitude * 1e5) / 1e5,
        locationAccuracy: profile.speed ? 15 : 5,
      }
      if (network !== 'ethernet') values.signal = whole(signal / 3) * 3
      if (network === 'wifi') values.ssid = 'campus'
      if (profile.batteryHours) {
        values.battery = whole(battery)
        values.charging = charging ? 'charging' : 'notCharging'
        values.voltage = whole((3.4 + 0.8 * (battery / 100)) * 10) / 10
      }
      if (profile.robot) values.robotState = robot
      if (profile.printer) values.printer = paper
      if (profile.cash) values.cash = 'ok'
      Object.assign(values, isMobile ? { mobileUp: up, mobileDown: down } : { wifiUp: up, wifiDown: down })
      return { values, events }
    },
    startAnew: (now) => {
      booted = now
      load = 0.9
    },
  }
}
