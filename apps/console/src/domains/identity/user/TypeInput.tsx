import { Radio } from 'antd'
import type { InputProps } from '../../../kit/inputs/inputs.tsx'

/** Each type of administrator with what it is for (readings 2): the word alone would be guessed at. */
export function TypeInput({ id, name, field, value, onChange, disabled, reader }: InputProps) {
  return (
    <Radio.Group
      id={id}
      className="type-choice"
      disabled={disabled}
      aria-label={reader.field(name)}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      {(field.options ?? []).map((option) => (
        <Radio key={option} value={option}>
          <span className="type-name">{reader.option(name, option)}</span>
          <span className="type-duty">{reader.t(`user.duty.${option}`)}</span>
        </Radio>
      ))}
    </Radio.Group>
  )
}
