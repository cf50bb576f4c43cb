import { Alert, Button, Input } from 'antd'
import { useState } from 'react'
import type { InputProps } from '../../../kit/inputs/inputs.tsx'
import { useProfile } from '../personal/useProfile.ts'
import { isCovered, wrongEntries } from './ipCover.ts'

const split = (text: string) => text.split(/[\s,;，；]+/).filter(Boolean)

/** Addresses as people paste them. Warns before somebody locks out the address they are working from (readings 61). */
export function WhitelistInput({
  id,
  name,
  value,
  onChange,
  onBlur,
  invalid,
  disabled,
  describedBy,
  reader,
}: InputProps) {
  const entries = Array.isArray(value) ? (value as string[]) : []
  const [text, setText] = useState(entries.join('\n'))
  const address = useProfile().data?.lastLoginIp ?? undefined
  const wrong = wrongEntries(entries)
  const type = (next: string) => {
    setText(next)
    onChange(split(next))
  }
  return (
    <>
      <Input.TextArea
        id={id}
        className="mono"
        autoSize={{ minRows: 2, maxRows: 8 }}
        disabled={disabled}
        spellCheck={false}
        {...(invalid ? { status: 'error' as const } : {})}
        aria-invalid={invalid}
        aria-describedby={describedBy}
        aria-label={reader.field(name)}
        value={text}
        onChange={(event) => type(event.target.value)}
        onBlur={onBlur}
      />
      {wrong.length > 0 && (
        <p className="field-warning" role="status">
          {reader.t('user.whitelist.wrong', { entries: wrong.join(reader.t('kit.value.comma')) })}
        </p>
      )}
      {address !== undefined && wrong.length === 0 && !isCovered(entries, address) && (
        <Alert
          type="warning"
          showIcon
          title={reader.t('user.whitelist.notCovered', { address })}
          action={
            <Button size="small" onClick={() => type(`${text.trimEnd()}\n${address}`)}>
              {reader.t('user.whitelist.add', { address })}
            </Button>
          }
        />
      )}
    </>
  )
}
