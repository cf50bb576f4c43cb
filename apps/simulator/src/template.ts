import { randomUUID } from 'node:crypto'
import type { CommandArgs } from '@campanile/contract'
import type { DeviceEvent } from '@campanile/contract/protocol'

type Items = Record<string, string | number>

/** How likely somebody at the device has turned a knob since it was last looked at. */
const turned = 0.002
const factory: Items = {
  wifi: 'on',
  bluetooth: 'off',
  adb: 'off',
  lockScreen: 'off',
  brightnessMode: 'automatic',
  screenOffSeconds: 60,
  notificationBar: 'on',
  orientation: 'automatic',
  location: 'on',
  camera: 'on',
  usb: 'on',
  googleServices: 'on',
  googlePlay: 'on',
  volumeSystem: 50,
  volumeMusic: 50,
  volumeAlarm: 50,
  volumeCall: 50,
  timeZone: 'Europe/Berlin',
  language: 'en-GB',
}
const pick = (items: Items, names: readonly string[]): Items =>
  Object.fromEntries(names.flatMap((name) => (items[name] === undefined ? [] : [[name, items[name]]])))

/** What a simulated device has set, and what somebody at it changes now and then. */
export const createSettings = (random: () => number) => {
  let values: Items = { ...factory }
  let template: { id: number; names: string[]; before: Items } | undefined

  return {
    apply: ({ templateId, items }: CommandArgs<'applyTemplate'>) => {
      const wanted = JSON.parse(JSON.stringify(items)) as Items
      const names = Object.keys(wanted)
      const had = pick(values, names)
      const before = template?.id === templateId ? { ...had, ...pick(template.before, names) } : had
      values = { ...values, ...wanted }
      template = { id: templateId, names, before }
      return { items: wanted, before }
    },
    undo: (templateId: number) => {
      if (template && template.id !== templateId) throw new Error('another template was applied since')
      const before = template?.before ?? {}
      values = { ...values, ...before }
      template = undefined
      return { items: before }
    },
    look: (now: number): DeviceEvent[] => {
      const knobs = (template?.names ?? []).filter((name) => name.startsWith('volume'))
      const knob = knobs[0]
      if (knob === undefined || random() >= turned) return []
      const items = { [knob]: Math.floor(random() * 101) }
      values = { ...values, ...items }
      return [{ id: randomUUID(), ts: now, type: 'settingsChanged', data: { items } }]
    },
  }
}
