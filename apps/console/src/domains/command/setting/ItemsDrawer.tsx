import {
  commandErrors,
  deviceSetting,
  minutesApart,
  powerGapMinutes,
  type SettingItems,
  settingForm,
} from '@campanile/contract'
import { Button, Drawer } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../../kit/useAction.ts'
import { askToLeave, useDirtyGuard } from '../../../shell/tabs/index.ts'
import { EnteredFields } from '../order/EnteredFields.tsx'
import { useEntered } from '../order/useEntered.ts'
import '../../../kit/kit.css'

interface Props {
  id: number
  items: SettingItems
  onClose: () => void
}

const tooClose = (items: SettingItems) =>
  items.powerOff && items.powerOn && minutesApart(items.powerOff, items.powerOn) < powerGapMinutes

/** What a set of settings says; what is left blank stays as each device has it. */
export function ItemsDrawer({ id, items, onClose }: Props) {
  const { t } = useTranslation()
  const base = useId()
  const form = useEntered(settingForm, items)
  const [start] = useState(form.values)
  const save = useAction(deviceSetting, 'saveItems')
  const dirty = JSON.stringify(start) !== JSON.stringify(form.values)
  useDirtyGuard(dirty)
  const title = t('deviceSetting.detail.edit')
  const close = async () => {
    if (!save.running && (!dirty || (await askToLeave([title])))) onClose()
  }
  const submit = async () => {
    const read = form.read()
    if ('wrong' in read) return document.getElementById(read.wrong)?.focus()
    const next = read.args as SettingItems
    if (tooClose(next)) {
      form.mark('powerOn', {
        key: `error.${commandErrors.powerTimesTooClose.code}`,
        values: { minutes: powerGapMinutes },
      })
      return document.getElementById(form.fieldOf('powerOn'))?.focus()
    }
    if (!dirty || (await save.run({ id, items: next }))) onClose()
  }
  return (
    <Drawer
      open
      size={480}
      title={title}
      onClose={close}
      footer={
        <div className="drawer-buttons">
          <Button onClick={close} disabled={save.running}>
            {t('kit.cancel')}
          </Button>
          <Button type="primary" htmlType="submit" form={base} loading={save.running}>
            {t('kit.form.save')}
          </Button>
        </div>
      }
    >
      <form
        id={base}
        className="kit-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <fieldset>
          <EnteredFields form={form} />
        </fieldset>
      </form>
    </Drawer>
  )
}
