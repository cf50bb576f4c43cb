import { isApiError } from '@campanile/client'
import { device, setTrafficLimit } from '@campanile/contract/device'
import { useQueryClient } from '@tanstack/react-query'
import { InputNumber, Modal } from 'antd'
import { useId, useState } from 'react'
import { calls, useReader } from '../../../kit/index.ts'
import { describeError } from '../../../shell/errorText.ts'
import { showError, toast } from '../../../shell/feedback.ts'
import { detailKey } from '../live.ts'
import type { Used } from './limitState.ts'

interface Props {
  sn: string
  traffic: Used
  onClose: () => void
}
type Name = 'limitMb' | 'alarmPercent'
const most: Record<Name, number> = { limitMb: 10_000_000, alarmPercent: 100 }

/** The month's limit and the share of it that warns; blank means none. */
export function LimitDialog({ sn, traffic, onClose }: Props) {
  const { t, number } = useReader(device)
  const id = useId()
  const queries = useQueryClient()
  const [values, setValues] = useState<Record<Name, number | null>>({
    limitMb: traffic.limitMb,
    alarmPercent: traffic.alarmPercent,
  })
  const [refused, setRefused] = useState<Partial<Record<Name, string>>>({})
  const [busy, setBusy] = useState(false)
  const lonely = values.limitMb === null && values.alarmPercent !== null
  const errors: Partial<Record<Name, string>> = {
    ...refused,
    ...(lonely ? { limitMb: t('deviceTraffic.limitFirst') } : {}),
  }

  const save = async () => {
    if (lonely || busy) return
    setBusy(true)
    try {
      await calls.call(setTrafficLimit, { sn, ...values })
      toast.success(t('deviceTraffic.limitSet'))
      await queries.invalidateQueries({ queryKey: ['deviceTraffic', sn] })
      await queries.invalidateQueries({ queryKey: detailKey(sn) })
      onClose()
    } catch (error) {
      const name = isApiError(error) ? error.field : undefined
      if (name === 'limitMb' || name === 'alarmPercent') setRefused({ [name]: describeError(error).text })
      else showError(error)
    } finally {
      setBusy(false)
    }
  }
  const field = (name: Name) => (
    <div className="field" data-invalid={errors[name] !== undefined}>
      <label htmlFor={`${id}-${name}`}>{t(`deviceTraffic.field.${name}`)}</label>
      <InputNumber
        id={`${id}-${name}`}
        className="whole"
        min={1}
        max={most[name]}
        precision={0}
        value={values[name]}
        {...(errors[name] ? { status: 'error' as const } : {})}
        aria-describedby={`${id}-${name}-help`}
        onChange={(value) => {
          setValues({ ...values, [name]: value })
          setRefused({})
        }}
      />
      {errors[name] && (
        <div className="field-error" role="alert">
          {errors[name]}
        </div>
      )}
      <div id={`${id}-${name}-help`} className="field-help">
        {t(`deviceTraffic.help.${name}`, { max: number(most[name]) })}
      </div>
    </div>
  )
  return (
    <Modal
      open
      title={`${t('deviceTraffic.setLimit')} · ${sn}`}
      okText={t('kit.form.save')}
      cancelText={t('kit.cancel')}
      confirmLoading={busy}
      onOk={save}
      onCancel={onClose}
    >
      <form
        className="kit-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <fieldset>
          {field('limitMb')}
          {field('alarmPercent')}
        </fieldset>
      </form>
    </Modal>
  )
}
