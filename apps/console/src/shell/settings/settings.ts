import { create } from 'zustand'
import { choices } from '../../theme/choices.ts'
import { onStoredElsewhere, readStored, writeStored } from '../storage.ts'

type Choices = { [Name in keyof typeof choices]: (typeof choices)[Name][number] }

export type Settings = Choices & {
  tabs: boolean
  breadcrumb: boolean
  watermark: boolean
  colourWeak: boolean
  /** Single-key shortcuts can be turned off (WCAG 2.1.4). */
  shortcuts: boolean
  collapsed: boolean
}

export const defaultSettings: Settings = {
  accent: 'blue',
  scheme: 'system',
  layout: 'side',
  density: 'normal',
  width: 'fluid',
  tabs: true,
  breadcrumb: false,
  watermark: false,
  colourWeak: false,
  shortcuts: true,
  collapsed: false,
}

/** Old and damaged saves lose only the values that no longer exist. */
export function parseSettings(stored: unknown): Settings {
  if (typeof stored !== 'object' || stored === null) return defaultSettings
  const given = new Map(Object.entries(stored))
  const kept = Object.entries(defaultSettings).map(([name, fallback]) => {
    const value: unknown = given.get(name)
    const allowed = name in choices ? choices[name as keyof Choices].some((choice) => choice === value) : true
    return [name, allowed && typeof value === typeof fallback ? value : fallback]
  })
  return Object.fromEntries(kept) as Settings
}

const name = 'settings'

export const useSettings = create<Settings>(() => parseSettings(readStored('local', name)))

export function changeSettings(patch: Partial<Settings>): void {
  useSettings.setState(patch)
  writeStored('local', name, useSettings.getState())
}

export const resetSettings = (): void => changeSettings(defaultSettings)

const systemIsDark = window.matchMedia('(prefers-color-scheme: dark)')

const themeOf = ({ scheme }: Settings): 'light' | 'dark' =>
  scheme === 'system' ? (systemIsDark.matches ? 'dark' : 'light') : scheme

/** The resolved theme, for what cannot read custom properties (Ant Design, charts, maps). */
export const useTheme = create<{ theme: 'light' | 'dark' }>(() => ({ theme: themeOf(useSettings.getState()) }))

function markDocument(settings: Settings): void {
  const theme = themeOf(settings)
  const { dataset } = document.documentElement
  dataset.theme = theme
  dataset.accent = settings.accent
  dataset.density = settings.density
  dataset.colourWeak = String(settings.colourWeak)
  useTheme.setState({ theme })
}

/** Applies the settings now and whenever they, the system's scheme, or another window changes them. */
export function startSettings(): void {
  markDocument(useSettings.getState())
  useSettings.subscribe(markDocument)
  systemIsDark.addEventListener('change', () => markDocument(useSettings.getState()))
  onStoredElsewhere(name, () => useSettings.setState(parseSettings(readStored('local', name))))
}
