import type { ReleaseKind } from '@campanile/contract/release'
import { later } from '../../shell/later.tsx'
import { openOver } from '../../shell/tabs/index.ts'
import { loadTexts } from '../../shell/texts.ts'

/** Devices that are meant, and what people call them. */
export interface NamedTarget {
  readonly groupId?: number
  readonly departmentId?: number
  readonly filter?: Readonly<Record<string, unknown>>
  readonly label: string
}

export interface Releasing {
  readonly kind: ReleaseKind
  readonly item: { readonly id: number; readonly name: string; readonly version?: string | null | undefined }
  /** One of its kind's; the first unless another is said. */
  readonly action?: string | undefined
  /** Whom it is meant for, as far as the item knows that itself. */
  readonly targets?: readonly NamedTarget[] | undefined
  readonly sns?: readonly string[] | undefined
  /** From the screen that devices are gathered on, which has a permission of its own. */
  readonly batch?: boolean | undefined
  /** The tab it stands over; the one in front unless another is named. */
  readonly over?: string | undefined
}

/** The name it is kept by when the page is loaded anew: what opens it again is this room's `over.tsx`. */
export const wizardForm = 'over.release'

const Wizard = later(async () => {
  const words = loadTexts(['release', 'wizard', 'compose', 'device', 'command'])
  const [{ Wizard: Loaded }] = await Promise.all([import('./wizard/Wizard.tsx'), words])
  return Loaded
})

/** For the button that opens it: its code is on the way before the click. */
export const nearReleasing = Wizard.near

/** The one way to bring something to devices, from whatever list it stands in. */
export const releaseItem = ({ over, ...releasing }: Releasing): void =>
  openOver((close) => <Wizard {...releasing} onClose={close} />, over)
