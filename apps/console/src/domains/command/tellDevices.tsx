import type { CommandName, Target } from '@campanile/contract/command'
import { later } from '../../shell/later.tsx'
import { showOver } from '../../shell/over.ts'
import { loadTexts } from '../../shell/texts.ts'

const words = ['command', 'device', 'file', 'spoken', 'system']

// It may be opened over a page of another room, whose words are not these.
const CommandDialog = later(
  async () => (await Promise.all([import('./order/CommandDialog.tsx'), loadTexts(words)]))[0].default,
)

/** Opens the way to tell devices something, with its preview, from anywhere. */
export function tellDevices({ targets, command }: { targets: Target; command: CommandName }): void {
  const sn = 'sns' in targets && targets.sns.length === 1 ? targets.sns[0] : undefined
  showOver((onClose) => <CommandDialog command={command} target={targets} sn={sn} onClose={onClose} />)
}
