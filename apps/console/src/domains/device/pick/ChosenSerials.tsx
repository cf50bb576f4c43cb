import { CloseOutlined } from '@ant-design/icons'
import { device } from '@campanile/contract/device'
import { useReader } from '../../../kit/index.ts'

/** As many as are still read one by one. */
const mostShown = 24

interface Props {
  sns: readonly string[]
  onChange: (sns: readonly string[]) => void
  disabled?: boolean
}

/** How many, and the first of them, each with its way out. */
export function ChosenSerials({ sns, onChange, disabled = false }: Props) {
  const reader = useReader(device)
  const { t } = reader
  return (
    <div className="chosen-serials">
      <strong role="status">{t('devicePicker.count', { count: sns.length, shown: reader.number(sns.length) })}</strong>
      {sns.slice(0, mostShown).map((sn) => (
        <span key={sn} className="chip mono">
          {sn}
          <button
            type="button"
            aria-label={t('devicePicker.remove', { sn })}
            disabled={disabled}
            onClick={() => onChange(sns.filter((each) => each !== sn))}
          >
            <CloseOutlined />
          </button>
        </span>
      ))}
      {sns.length > mostShown && (
        <span className="quiet">{t('devicePicker.andMore', { shown: reader.number(sns.length - mostShown) })}</span>
      )}
    </div>
  )
}
