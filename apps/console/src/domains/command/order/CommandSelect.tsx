import { type CommandName, commandTextKey } from '@campanile/contract/command'
import { Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { usePermittedCommands } from './usePermittedCommands.ts'

interface Props {
  id: string
  value: CommandName | undefined
  onChange: (command: CommandName) => void
  disabled?: boolean
}

export function CommandSelect({ id, value, onChange, disabled = false }: Props) {
  const { t } = useTranslation()
  const permitted = usePermittedCommands()
  return (
    <Select
      id={id}
      className="whole"
      showSearch={{ optionFilterProp: 'label' }}
      placeholder={t('command.choose')}
      aria-label={t('command.title')}
      disabled={disabled}
      value={value ?? null}
      onChange={(next: CommandName | null) => next && onChange(next)}
      options={permitted.map((name) => ({ value: name, label: t(commandTextKey(name)) }))}
    />
  )
}
