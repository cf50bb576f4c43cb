import type { CommandName } from '@campanile/contract/command'
import { commands } from '@campanile/contract/command'
import { Input } from 'antd'
import { useTranslation } from 'react-i18next'
import { Labelled } from '../../../kit/form/Labelled.tsx'

interface Props {
  id: string
  command: CommandName
  /** The one device meant; without one the number of devices is typed back. */
  sn: string | undefined
  proof: string
  typed: string
  onType: (text: string) => void
}

/** Whoever sends what destroys types whom it hits, each time it is sent. */
export function ProofInput({ id, command, sn, proof, typed, onType }: Props) {
  const { t } = useTranslation()
  return (
    <Labelled
      id={id}
      label={t(sn === undefined ? 'command.proof.count' : 'command.proof.sn', { proof })}
      help={t(`${commands[command].texts}.destroys.${command}`)}
      required
    >
      {(field) => (
        <Input
          {...field}
          className="mono"
          autoComplete="off"
          value={typed}
          onChange={(event) => onType(event.target.value)}
        />
      )}
    </Labelled>
  )
}
