import type { AnswerOf } from '@campanile/contract/kit'
import type { runtime } from '@campanile/contract/system'
import { create } from 'zustand'
import { api } from './api.ts'
import { pickText } from './localised.ts'
import { currentLanguage } from './texts.ts'

/** What the installation says about itself before anyone is signed in. */
export type Runtime = AnswerOf<typeof runtime>

/** Shown when the server cannot be asked; the sign-in form then says so itself. */
const unknown: Runtime = {
  title: { en: 'Campanile', 'zh-cn': 'Campanile', 'zh-tw': 'Campanile' },
  logo: null,
  defaultLanguage: 'en',
  captcha: true,
  mobileLogin: false,
  scanLogin: false,
  allowOnlineCount: false,
  onlineCount: null,
  sessionIdleMinutes: 30,
  passwordProfile: 'admin',
  demo: false,
}

export const useRuntime = create<Runtime>(() => unknown)

export async function loadRuntime(): Promise<Runtime> {
  try {
    useRuntime.setState(await api.call<Runtime>('GET', '/api/v1/runtime', { timeout: 5_000 }))
  } catch {
    // Kept as unknown: the console must open to say that the server is away.
  }
  return useRuntime.getState()
}

/** The installation's own name: the second half of every page title. */
export const globalTitle = (): string => pickText(useRuntime.getState().title, currentLanguage()) ?? 'Campanile'
