import { readJsonObject } from '@campanile/contract/kit'
import { Button, Input } from 'antd'
import { useTranslation } from 'react-i18next'
import type { InputProps } from './input-props.ts'

type Props = Pick<InputProps, 'id' | 'value' | 'onChange' | 'onBlur' | 'invalid' | 'disabled' | 'describedBy'> & {
  label?: string
}

/** Where a text stops being JSON, as browsers tell it. */
const placeOf = (text: string): { line: number; column: number } | undefined => {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    const [, line, column] = /line (\d+) column (\d+)/.exec(String(error)) ?? []
    return line && column ? { line: Number(line), column: Number(column) } : undefined
  }
}

/** An object written by hand: told at once where it stops making sense, and laid out on demand. */
export function JsonInput({ id, value, onChange, onBlur, invalid, disabled, describedBy, label }: Props) {
  const { t } = useTranslation()
  const text = String(value ?? '')
  const read = readJsonObject(text)
  const place = text.trim() === '' ? undefined : placeOf(text)
  return (
    <div className="json-input">
      <Input.TextArea
        id={id}
        className="mono"
        spellCheck={false}
        autoSize={{ minRows: 4, maxRows: 16 }}
        disabled={disabled}
        {...(invalid ? { status: 'error' as const } : {})}
        aria-invalid={invalid}
        aria-describedby={describedBy}
        {...(label === undefined ? {} : { 'aria-label': label })}
        value={text}
        onChange={(event) => onChange(event.target.value)}
        onBlur={onBlur}
      />
      <div className="json-input-foot">
        <span className="field-help" role="status">
          {place && t('kit.json.place', place)}
        </span>
        <Button
          size="small"
          type="text"
          disabled={disabled || !read || text.trim() === ''}
          onClick={() => onChange(JSON.stringify(read, null, 2))}
        >
          {t('kit.json.layOut')}
        </Button>
      </div>
    </div>
  )
}
