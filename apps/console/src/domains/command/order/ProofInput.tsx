import type { CommandName } from '@campanile/contract/command'
import { commands } from '@campanile/contract/command'
import { Input } from 'antd'
import { useTranslation } from 'react-i18next'
import { Labelled } from '../../../kit/form/Labelled.tsx'
import { currentLanguage } from '../../../shell/texts.ts'

interface Props {
  id: string
  command: CommandName
  /** The one device meant; without one the number of devices is typed back. */
  sn: string | undefined
  proof: string
  typed: string
  /** How long it may wait, where somebody chose longer than it waits by itself. */
  waitMinutes?: number | undefined
  onType: (text: string) => void
}

const hour = 60
const day = 24 * hour

/** "24 hours", "7 days": days where it is more than one. */
export const waitText = (minutes: number, language: string = currentLanguage()): string => {
  const [unit, length] = minutes > day && minutes % day === 0 ? (['day', day] as const) : (['hour', hour] as const)
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(minutes / length)
}

/** Whoever sends what destroys types whom it hits, each time it is sent. */
export function ProofInput({
  id,
  command,
  sn,
  proof,
  typed,
  onType,
  waitMinutes = commands[command].waitMinutes,
}: Props) {
  const { t } = useTranslation()
  return (
    <Labelled
      id={id}
      label={t(sn === undefined ? 'command.proof.count' : 'command.proof.sn', { proof })}
      help={t(`${commands[command].texts}.destroys.${command}`, { wait: waitText(waitMinutes) })}
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
