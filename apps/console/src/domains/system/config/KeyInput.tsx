import { Button, Input } from 'antd'
import type { SettingInputProps } from './settingInputProps.ts'

/** Written, never read: blank keeps what is stored, `null` takes it away. */
export function KeyInput({ id, label, value, onChange, invalid, disabled, describedBy, stored, t }: SettingInputProps) {
  const removed = value === null
  return (
    <div className="names-input">
      <Input.TextArea
        id={id}
        className="mono"
        aria-label={label}
        aria-invalid={invalid}
        aria-describedby={describedBy}
        {...(invalid ? { status: 'error' as const } : {})}
        autoSize={{ minRows: 2, maxRows: 8 }}
        autoComplete="off"
        spellCheck={false}
        disabled={disabled || removed}
        value={typeof value === 'string' ? value : ''}
        onChange={(event) => onChange(event.target.value)}
      />
      <span className="setting-key">
        <span className="field-help">
          {t(removed ? 'config.keyRemoved' : stored ? 'config.keySet' : 'config.keyNotSet')}
        </span>
        {stored && !disabled && (
          <Button size="small" type="link" onClick={() => onChange(removed ? '' : null)}>
            {t(removed ? 'config.keepKey' : 'config.removeKey')}
          </Button>
        )}
      </span>
    </div>
  )
}
