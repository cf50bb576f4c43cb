import { useTranslation } from 'react-i18next'
import type { LineFault } from './useCreateCodes.ts'

/** Every refused line with its words and the reason. */
export function LineFaults({ faults, text }: { faults: readonly LineFault[]; text: string | undefined }) {
  const { t } = useTranslation()
  const lines = text?.split(/\r\n|\r|\n/)
  return (
    <div className="import-table" role="alert">
      <table className="plain-table">
        <caption>{t('activationCode.create.faults', { count: faults.length })}</caption>
        <thead>
          <tr>
            <th scope="col">{t('activationCode.create.line')}</th>
            {lines && <th scope="col">{t('activationCode.create.words')}</th>}
            <th scope="col">{t('kit.import.reason')}</th>
          </tr>
        </thead>
        <tbody>
          {faults.map(({ line, sn, code }) => (
            <tr key={line}>
              <td className="figure">{line}</td>
              {lines && <td className="mono">{lines[line - 1]?.trim().slice(0, 80)}</td>}
              <td>
                {t(`error.${code}`, { line, sn })} ({code})
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
