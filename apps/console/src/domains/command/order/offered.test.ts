import { chosenCommands } from '@campanile/contract'
import { describe, expect, it } from 'vitest'
import { groupedCommands, isOffered } from './offered.ts'

describe('the commands that are offered', () => {
  it('are not both lock and unlock for one device', () => {
    const open = { total: 1, locked: 0, kiosk: 0 }
    const locked = { total: 1, locked: 1, kiosk: 0 }
    expect([isOffered('lock', open), isOffered('unlock', open)]).toEqual([true, false])
    expect([isOffered('lock', locked), isOffered('unlock', locked)]).toEqual([false, true])
  })

  it('are both where some are locked and some are not, or where nothing is known', () => {
    const some = { total: 3, locked: 1, kiosk: 0 }
    for (const standing of [some, undefined])
      expect([isOffered('lock', standing), isOffered('unlock', standing)]).toEqual([true, true])
  })

  it('begin with what is asked for every day and end with what destroys', () => {
    const groups = groupedCommands(chosenCommands, undefined)
    expect(groups[0]).toEqual({ kind: 'everyday', names: expect.arrayContaining(['message', 'reboot']) })
    expect(groups.at(-1)).toEqual({ kind: 'danger', names: ['wipe', 'unbind', 'switchServer'] })
    expect(groups.flatMap(({ names }) => names)).toHaveLength(chosenCommands.length)
  })

  it('keep the one that was chosen', () => {
    const locked = { total: 1, locked: 1, kiosk: 0 }
    const [everyday] = groupedCommands(chosenCommands, locked, 'lock')
    expect(everyday?.names).toContain('lock')
  })
})
