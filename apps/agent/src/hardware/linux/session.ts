import type { CommandArgs } from '@campanile/contract'
import type { Result } from '../port.ts'
import type { Machine } from './machine.ts'

interface Session {
  readonly id: string
  readonly user: string
}

/** The people at the machine: who is signed in where, what they are shown, whether their screen is locked. */
export const createSessions = (machine: Machine, display: string) => {
  const graphical = async (): Promise<Session[]> => {
    const text = await machine.run('loginctl', ['list-sessions', '--no-legend'])
    const found: Session[] = []
    for (const line of text.split('\n')) {
      const [id, , user = ''] = line.trim().split(/\s+/)
      if (!id) continue
      const type = await machine.run('loginctl', ['show-session', '--property=Type', '--value', '--', id])
      if (['x11', 'wayland', 'mir'].includes(type.trim())) found.push({ id, user })
    }
    return found
  }
  const hasBus = () => machine.has('notify-send') && Boolean(process.env.DBUS_SESSION_BUS_ADDRESS)

  return {
    messageObstacle: () => (hasBus() || machine.has('wall') ? undefined : 'neither notify-send nor wall is installed'),
    show: async ({ title, text }: CommandArgs<'message'>): Promise<Result> => {
      if (hasBus()) {
        await machine.run('notify-send', ['--urgency=critical', '--', title || text, title ? text : ''], {
          env: { DISPLAY: display },
        })
        return { shownBy: 'notify-send' }
      }
      // `wall` is content with an empty room.
      const people = machine.has('who') ? (await machine.run('who', [])).split('\n').filter(Boolean) : []
      if (people.length === 0) throw new Error('nobody is signed in at this machine who could read it')
      await machine.run('wall', [], { input: title ? `${title}\n${text}\n` : `${text}\n` })
      return { shownBy: 'wall', terminals: people.length }
    },

    lockObstacle: () => {
      if (!machine.has('loginctl')) return 'loginctl is not installed'
      return machine.hasSystemd ? undefined : 'this machine does not run systemd-logind'
    },
    lock: async (locked: boolean): Promise<Result> => {
      const sessions = await graphical()
      if (sessions.length === 0) throw new Error('no graphical session is open, so there is no screen to lock')
      for (const { id } of sessions) {
        await machine.run('loginctl', [locked ? 'lock-session' : 'unlock-session', '--', id])
      }
      return { sessions: sessions.length }
    },
  }
}
