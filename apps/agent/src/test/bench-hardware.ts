import { Readable } from 'node:stream'
import type { DeviceEvent, StateValues } from '@campanile/contract/protocol'
import type { Artefact, Hardware } from '../hardware/port.ts'

const artefact = (name: string, text: string): Artefact => ({
  name,
  contentType: 'text/plain',
  bytes: Buffer.byteLength(text),
  open: () => Readable.from([Buffer.from(text)]),
  discard: async () => undefined,
})

/** A machine on a workbench: it counts what was done to it. */
export const createBenchHardware = (boot = 'first') => {
  const done: string[] = []
  const values: StateValues = { battery: 80, cpu: 5 }
  let measured = 0
  let events: DeviceEvent[] = []
  const did = async (what: string) => {
    done.push(what)
    return {}
  }
  const hardware: Hardware = {
    boot: () => boot,
    describe: async () => ({ model: 'Bench', type: 14, firmware: '1.0' }),
    measure: async () => {
      measured += 1
      const happened = events
      events = []
      return { values: { ...values }, events: happened }
    },
    obstacle: async (name) => (name === 'kioskOn' ? 'there is no kiosk on a workbench' : undefined),
    restartApp: (app) => did(`restart ${app}`),
    reboot: () => new Promise(() => done.push('reboot')),
    schedulePower: () => did('power'),
    collectLog: async ({ type }) => artefact(`${type}.txt`, `the ${type} log`),
    capture: async () => artefact('screen.txt', 'a picture'),
    show: ({ text }) => did(`show ${text}`),
    lock: (locked) => {
      values.locked = locked
      return did(locked ? 'lock' : 'unlock')
    },
    setScreenLock: () => did('pin'),
    setPassword: () => did('password'),
    allowOnly: () => did('whitelist'),
    wipe: () => did('wipe'),
    configure: () => did('configure'),
    kiosk: () => did('kiosk'),
    software: async () => [],
    setEnabled: () => did('enable'),
    uninstall: async () => {
      throw new Error('the bolt is stuck')
    },
    installApp: (app) => did(`install ${app.package}`),
    upgradeFirmware: ({ version }) => did(`firmware ${version}`),
    putFile: ({ name }) => did(`put ${name}`),
    applyTemplate: ({ templateId }) => did(`template ${templateId}`),
    undoTemplate: (templateId) => did(`no template ${templateId}`),
    showPoster: ({ title }) => did(`poster ${title}`),
    recoverUpdates: async () => undefined,
    updateEnded: async () => undefined,
    custom: () => did('custom'),
    perform: (name) => did(name),
  }
  return {
    hardware,
    done,
    values,
    measured: () => measured,
    happen: (event: DeviceEvent) => {
      events.push(event)
    },
  }
}
