import { Alert, Button } from 'antd'
import type { InputProps } from '../../../kit/inputs/input-props.ts'
import { inputs } from '../../../kit/inputs/inputs.tsx'
import { useProfile } from '../personal/useProfile.ts'
import { isCovered, wrongEntries } from './ipCover.ts'

/** Addresses as people paste them. Warns before somebody locks out the address they are working from (behaviour: sign-in.addresses). */
export function WhitelistInput(props: InputProps) {
  const { value, onChange, reader } = props
  const entries = Array.isArray(value) ? (value as string[]) : []
  const address = useProfile().data?.lastLoginIp ?? undefined
  const wrong = wrongEntries(entries)
  return (
    <>
      {inputs.ipList(props)}
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
            <Button size="small" onClick={() => onChange([...entries, address])}>
              {reader.t('user.whitelist.add', { address })}
            </Button>
          }
        />
      )}
    </>
  )
}
