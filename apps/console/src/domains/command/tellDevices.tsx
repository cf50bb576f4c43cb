import type { CommandName, OneTarget } from '@campanile/contract/command'
import { later } from '../../shell/later.tsx'
import { openOver } from '../../shell/tabs/index.ts'
import { loadTexts } from '../../shell/texts.ts'

/** Devices that are meant, and what people call them: a view, a group, "all that match". */
export type NamedTarget = OneTarget & { readonly label?: string | undefined }

export interface Telling {
  readonly targets?: readonly NamedTarget[] | undefined
  readonly command?: CommandName | undefined
  /** Arguments that are known already, such as the app of a row. */
  readonly args?: Readonly<Record<string, unknown>> | undefined
  /** The door it goes through, which has a permission of its own besides the command's. */
  readonly door?: 'task' | 'batch' | undefined
  /** The tab it stands over; the one in front unless another is named. */
  readonly over?: string | undefined
}

/** The name it is kept by when the page is loaded anew: what opens it again is this room's `over.tsx`. */
export const composerForm = 'over.command'

const Composer = later(async () => {
  const words = loadTexts(['command', 'composer', 'compose', 'device', 'spoken'])
  const [{ Composer: Loaded }] = await Promise.all([import('./composer/Composer.tsx'), words])
  return Loaded
})

/** For the button that opens it: its code is on the way before the click. */
export const nearTelling = Composer.near

/** The one way to tell devices something, from wherever devices are shown. */
export const tellDevices = ({ over, ...telling }: Telling): void =>
  openOver((close) => <Composer {...telling} onClose={close} />, over)
