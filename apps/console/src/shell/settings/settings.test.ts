// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from 'vitest'
import {
  changeSettings,
  defaultSettings,
  parseSettings,
  resetSettings,
  startSettings,
  useSettings,
} from './settings.ts'

describe('stored settings', () => {
  it('lose only what no longer exists', () => {
    const stored = { scheme: 'dark', accent: 'pink', density: 3, watermark: true, gone: 1 }
    expect(parseSettings(stored)).toEqual({ ...defaultSettings, scheme: 'dark', watermark: true })
  })

  it.each([undefined, null, 'x', 7])('%j gives the defaults', (stored) => {
    expect(parseSettings(stored)).toEqual(defaultSettings)
  })
})

describe('changed settings', () => {
  beforeEach(() => {
    startSettings()
    resetSettings()
  })

  it('show at once and are stored', () => {
    changeSettings({ scheme: 'dark', accent: 'teal', density: 'compact' })
    expect({ ...document.documentElement.dataset }).toMatchObject({ theme: 'dark', accent: 'teal', density: 'compact' })
    expect(JSON.parse(localStorage.getItem('campanile.settings') ?? '')).toMatchObject({ accent: 'teal' })
  })

  it('go back to the defaults in one step', () => {
    changeSettings({ scheme: 'dark', tabs: false })
    resetSettings()
    expect(useSettings.getState()).toEqual(defaultSettings)
  })
})
