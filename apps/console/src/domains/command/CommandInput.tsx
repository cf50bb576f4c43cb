import { commandNames, commandTextKey } from '@campanile/contract/command'
import { AutoComplete } from 'antd'
import type { InputProps } from '../../kit/inputs/input-props.ts'

/** A name of ours, or one a maker is trying out. */
export const CommandInput = ({
  id,
  value,
  onChange,
  onBlur,
  disabled,
  invalid,
  reader,
  name,
  describedBy,
}: InputProps) => (
  <AutoComplete
    id={id}
    className="whole"
    disabled={disabled}
    {...(invalid ? { status: 'error' as const } : {})}
    aria-label={reader.field(name)}
    aria-describedby={describedBy}
    value={String(value ?? '')}
    onChange={onChange}
    onBlur={onBlur}
    showSearch={{ filterOption: (typed, option) => String(option?.value).toLowerCase().includes(typed.toLowerCase()) }}
    options={commandNames.map((each) => ({
      value: each,
      label: `${each} · ${reader.t(commandTextKey(each))}`,
    }))}
  />
)
