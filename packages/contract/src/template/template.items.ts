import { z } from 'zod'
import { choice, masked, mono, number, optional, text, timeZone } from '../kit/index.ts'

const onOff = () => optional(choice(['on', 'off']))
const volume = () => optional(number(0, 100))

/** Wi-Fi that asks for a password. */
export const wifiWithPassword = ['wpa', 'wpa2', 'wpa3'] as const
export const wifiSecurities = ['open', ...wifiWithPassword] as const
/** Printable ASCII of the length that WPA takes. */
export const wifiPassword = () => ({
  ...masked(63),
  min: 8,
  schema: z.string().regex(/^[\x20-\x7e]{8,63}$/),
  /** It says nothing of a person: who reads a template leaves no line. */
  personal: false,
})

/** What a template may set, section by section; what is absent stays as the device has it. */
export const templateSections = {
  connectivity: {
    wifi: onOff(),
    wifiSsid: optional(text(32)),
    wifiSecurity: optional(choice(wifiSecurities)),
    bluetooth: onOff(),
  },
  security: { adb: onOff(), lockScreen: onOff() },
  display: {
    brightnessMode: optional(choice(['automatic', 'fixed'])),
    brightness: optional(number(0, 100)),
    /** 0: never. */
    screenOffSeconds: optional(number(0, 86_400)),
    notificationBar: onOff(),
    orientation: optional(choice(['automatic', 'portrait', 'landscape'])),
  },
  hardware: { location: onOff(), camera: onOff(), usb: onOff() },
  services: { googleServices: onOff(), googlePlay: onOff() },
  sound: { volumeSystem: volume(), volumeMusic: volume(), volumeAlarm: volume(), volumeCall: volume() },
  time: {
    timeZone: optional(timeZone()),
    /** By its BCP 47 name: `en-GB`. */
    language: optional(mono(35, /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/)),
  },
} as const
export type TemplateSection = keyof typeof templateSections
export const templateSectionNames = Object.keys(templateSections) as [TemplateSection, ...TemplateSection[]]

/** All of them, by their names. */
export const templateItems = {
  ...templateSections.connectivity,
  ...templateSections.security,
  ...templateSections.display,
  ...templateSections.hardware,
  ...templateSections.services,
  ...templateSections.sound,
  ...templateSections.time,
}
export type TemplateItem = keyof typeof templateItems
export const templateItemNames = Object.keys(templateItems) as [TemplateItem, ...TemplateItem[]]

export const templateSystems = ['android', 'linux'] as const
export type TemplateSystem = (typeof templateSystems)[number]

/** Items that only Android knows. */
export const androidItems: readonly TemplateItem[] = [
  'adb',
  'notificationBar',
  'orientation',
  'location',
  'camera',
  'usb',
  'googleServices',
  'googlePlay',
]

/** What a device calls its system, as templates know systems; nothing of one that has not said. */
export const systemTypeOf = (system: string | null | undefined): TemplateSystem | undefined => {
  if (!system) return undefined
  return /android/i.test(system) ? 'android' : 'linux'
}

/** What a device may say of its items: whatever else it says is passed over. */
export const templateValue = z.union([z.string().max(128), z.number().min(0).max(86_400)])
