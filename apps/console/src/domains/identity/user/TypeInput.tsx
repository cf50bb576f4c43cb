import { userType } from '@campanile/contract/identity'
import { Radio } from 'antd'
import type { InputProps } from '../../../kit/inputs/input-props.ts'
import { useSession } from '../../../shell/session/session.ts'

/** Each type of administrator with what it is for (behaviour: people.duties): the word alone would be guessed at. */
export function TypeInput({ id, name, field, value, onChange, disabled, reader, row }: InputProps) {
  const isSuper = useSession(({ session }) => session?.user.type) === userType.super
  // Only a super administrator makes another, and one that is made stays one (behaviour: people.one-of-each).
  const fixed = row?.type === userType.super
  const offered = (field.options ?? []).filter((option) =>
    option === userType.super ? fixed || (isSuper && row === undefined) : !fixed,
  )
  return (
    <Radio.Group
      id={id}
      className="type-choice"
      disabled={disabled || fixed}
      aria-label={reader.field(name)}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      {offered.map((option) => (
        <Radio key={option} value={option}>
          <span className="type-name">{reader.option(name, option)}</span>
          <span className="type-duty">{reader.t(`user.duty.${option}`)}</span>
        </Radio>
      ))}
    </Radio.Group>
  )
}
