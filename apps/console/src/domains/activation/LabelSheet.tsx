import { type CodeLabel, codeLabels } from '@campanile/contract/activation'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Radio, Skeleton, Switch } from 'antd'
import { useEffect, useId, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { calls } from '../../kit/index.ts'
import { QrCode } from '../../kit/QrCode.tsx'
import { describeError } from '../../shell/errorText.ts'
import './sheet.css'

const sizes = ['small', 'medium', 'large'] as const

/** Labels to print and cut. Over everything on screen; on paper it is all there is. */
export function LabelSheet({ ids, onClose }: { ids: readonly number[]; onClose: () => void }) {
  const { t, i18n } = useTranslation()
  const base = useId()
  const sheet = useRef<HTMLDialogElement>(null)
  const [size, setSize] = useState<(typeof sizes)[number]>('medium')
  const [withCode, setWithCode] = useState(true)
  const { data, error } = useQuery({
    queryKey: ['codeLabels', ids],
    queryFn: ({ signal }) => calls.call(codeLabels, { ids: [...ids] }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  // The browser's own dialog keeps the focus inside, closes on Esc and hides the page from readers.
  useEffect(() => sheet.current?.showModal(), [])
  const shown = new Intl.NumberFormat(i18n.language).format(ids.length)
  return createPortal(
    <dialog ref={sheet} className="label-sheet" aria-labelledby={`${base}-title`} onClose={onClose}>
      <header className="label-bar">
        <h2 id={`${base}-title`}>{t('activationCode.sheet.title', { count: ids.length, shown })}</h2>
        <Radio.Group
          aria-label={t('activationCode.sheet.size')}
          optionType="button"
          value={size}
          onChange={(event) => setSize(event.target.value)}
          options={sizes.map((value) => ({ value, label: t(`activationCode.sheet.${value}`) }))}
        />
        <label htmlFor={`${base}-code`}>
          <Switch id={`${base}-code`} size="small" checked={withCode} onChange={setWithCode} />{' '}
          {t('activationCode.sheet.withCode')}
        </label>
        <span className="spread" />
        <Button onClick={onClose}>{t('kit.close')}</Button>
        <Button type="primary" disabled={!data} onClick={() => window.print()}>
          {t('activationCode.sheet.print')}
        </Button>
      </header>
      {error && (
        <Alert type="error" showIcon title={describeError(error).title} description={describeError(error).text} />
      )}
      {!data && !error && <Skeleton active />}
      <ul className="labels" data-size={size}>
        {data?.rows.map((row) => (
          <Label key={row.id} row={row} withCode={withCode} />
        ))}
      </ul>
    </dialog>,
    document.body,
  )
}

function Label({ row, withCode }: { row: CodeLabel; withCode: boolean }) {
  return (
    <li>
      <QrCode text={row.qrData} label={row.sn} />
      <strong className="mono">{row.sn}</strong>
      {withCode && <span className="mono">{row.activationCode}</span>}
    </li>
  )
}
