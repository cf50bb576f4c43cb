import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import type { CommandArgs } from '@campanile/contract'
import type { Result } from '../port.ts'
import type { Machine } from './machine.ts'

const planPath = '/etc/cron.d/campanile-power'

export const powerObstacle = (machine: Machine): string | undefined => {
  if (!machine.has('rtcwake')) return 'rtcwake is not installed'
  if (!existsSync('/dev/rtc0')) return 'this machine has no real-time clock that could wake it'
  if (!existsSync('/etc/cron.d')) return 'cron is not installed'
  return machine.isRoot ? undefined : 'the agent does not run as root'
}

/** Days from switching off on a weekday (1 is Monday) until the machine is to be on again. */
export const daysUntilOn = (weekday: number, { off, on, weekdays }: CommandArgs<'powerSchedule'>): number => {
  for (let days = on > off ? 0 : 1; days <= 7; days += 1)
    if (weekdays.includes(((weekday - 1 + days) % 7) + 1)) return days
  return 7
}

/** Times are the machine's own; `date` reckons with summer time, seconds counted here would not. */
export const cronPlan = (plan: CommandArgs<'powerSchedule'>): string => {
  const [hour, minute] = plan.off.split(':').map(Number)
  const line = (weekday: number) =>
    `${minute} ${hour} * * ${weekday} root rtcwake -m off -t "$(date +\\%s -d '${daysUntilOn(weekday, plan)} days ${plan.on}')"`
  return [
    '# Written by campanile-agent: off and on by the clock.',
    'PATH=/usr/sbin:/usr/bin:/sbin:/bin',
    ...[...new Set(plan.weekdays)].sort().map(line),
    '',
  ].join('\n')
}

export const schedulePower = async (plan: CommandArgs<'powerSchedule'>): Promise<Result> => {
  if (plan.enabled) await writeFile(planPath, cronPlan(plan), { mode: 0o644 })
  else await rm(planPath, { force: true })
  return { enabled: plan.enabled }
}
