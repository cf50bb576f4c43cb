import type { AppDeps } from './app.ts'

export interface Seeded {
  /** Only when this start made the administrator. */
  adminPassword?: string
}

/** What a new installation needs before anyone can sign in; later starts find it there and change nothing. */
export async function seed(_deps: AppDeps): Promise<Seeded> {
  return {}
}
