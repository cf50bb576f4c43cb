import { device, type TransferAnswer } from '@campanile/contract/device'
import { useReader } from '../../../kit/index.ts'

const most = 200

interface Props {
  answer: TransferAnswer
  to: string
  done: boolean
  /** Takes one of those that would go out again. */
  onRemove?: ((sn: string) => void) | undefined
}

/** Each device with where it comes from, where it goes and what becomes of it; those that stay come first. */
export function TransferRows({ answer, to, done, onRemove }: Props) {
  const reader = useReader(device)
  const { t } = reader
  const { going, failed } = answer
  const shown = going.slice(0, Math.max(0, most - failed.length))
  const rest = going.length - shown.length
  return (
    <div className="transfer-rows">
      <table className="plain-table">
        <thead>
          <tr>
            <th scope="col">{reader.field('sn')}</th>
            <th scope="col">{t('deviceTransfer.from')}</th>
            <th scope="col">{t('deviceTransfer.to')}</th>
            <th scope="col">{t('deviceTransfer.result')}</th>
            {onRemove && <th scope="col">{t('kit.list.actions')}</th>}
          </tr>
        </thead>
        <tbody>
          {failed.slice(0, most).map(({ row, sn, code, message }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a file may name the same serial twice
            <tr key={at}>
              <td>
                <span className="mono">{sn || '–'}</span>
                {row !== undefined && <div className="quiet">{t('deviceTransfer.row', { row })}</div>}
              </td>
              <td>–</td>
              <td>–</td>
              <td className="field-error">
                {message} ({code})
              </td>
              {onRemove && <td />}
            </tr>
          ))}
          {shown.map(({ sn, from }) => (
            <tr key={sn}>
              <td className="mono">{sn}</td>
              <td>{from}</td>
              <td>{to}</td>
              <td>{t(done ? 'deviceTransfer.moved' : 'deviceTransfer.goes')}</td>
              {onRemove && (
                <td>
                  <button type="button" className="link-button" onClick={() => onRemove(sn)}>
                    {t('deviceTransfer.remove')}
                  </button>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {rest > 0 && <p className="card-empty">{t('deviceTransfer.more', { shown: reader.number(rest) })}</p>}
    </div>
  )
}
