import { commands } from '@campanile/contract/command'
import type { CommandSpec } from '@campanile/contract/kit'
import { useState } from 'react'
import { later } from '../../../shell/later.tsx'
import type { Proof } from './ProofDialog.tsx'

const ProofDialog = later(async () => (await import('./ProofDialog.tsx')).ProofDialog)

const isOurs = (name: string): name is Proof['command'] => Object.hasOwn(commands, name)
const destroys = (name: string) => isOurs(name) && ((commands[name] as CommandSpec).destroys ?? false)

/** Runs at once what can be undone; what destroys is typed back first. The dialog is rendered once by the screen. */
export const useProof = () => {
  const [asked, setAsked] = useState<Proof & { run: () => unknown }>()
  const close = () => setAsked(undefined)
  return {
    ask: ({ command, sn, count }: Omit<Proof, 'command'> & { command: string }, run: () => unknown) => {
      if (isOurs(command) && destroys(command)) setAsked({ command, sn, count, run })
      else run()
    },
    dialog: asked && (
      <ProofDialog
        {...asked}
        onClose={close}
        onProven={() => {
          close()
          asked.run()
        }}
      />
    ),
  }
}
