import { settingForm } from '@campanile/contract/command'
import { useReader } from '../../../kit/index.ts'

/** A setting's value in the words of the form it was entered in. */
export function ItemValue({ item, value }: { item: string; value: unknown }) {
  const reader = useReader(settingForm)
  if (value === undefined || value === null) return <span className="nothing">–</span>
  const field = settingForm.fields[item]
  if (field?.kind === 'choice') return reader.option(item, String(value))
  return <span className="mono">{value === '' ? '/' : String(value)}</span>
}

export const useItemName = () => {
  const reader = useReader(settingForm)
  return (item: string) => (settingForm.fields[item] ? reader.field(item) : item)
}
