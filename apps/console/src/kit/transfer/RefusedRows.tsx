import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

interface Props {
  caption: ReactNode
  rows: readonly { row: number; sn: string; code: number; message: string }[]
}

/** Which rows of a file or a text were not taken, and why. */
export function RefusedRows({ caption, rows }: Props) {
  const { t } = useTranslation()
  return (
    <table className="plain-table">
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{t('transfer.row')}</th>
          <th scope="col">{t('device.field.sn')}</th>
          <th scope="col">{t('kit.import.reason')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ row, sn, code, message }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line may hold the same serial twice
          <tr key={at}>
            <td className="figure">{row}</td>
            <td className="mono">{sn || '–'}</td>
            <td>
              {message} ({code})
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
