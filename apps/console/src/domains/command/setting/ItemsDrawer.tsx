import {
  commandErrors,
  deviceSetting,
  minutesApart,
  powerGapMinutes,
  type SettingItems,
  settingForm,
} from '@campanile/contract/command'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DrawerForm } from '../../../kit/form/DrawerForm.tsx'
import { hasSecrets, initialValues, type Values, withoutSecrets } from '../../../kit/form/formValues.ts'
import { useAction } from '../../../kit/useAction.ts'
import { askToLeave, useDirtyGuard, useKeptInput } from '../../../shell/tabs/index.ts'
import { EnteredFields } from '../order/EnteredFields.tsx'
import { useEntered } from '../order/useEntered.ts'
import '../../../kit/kit.css'

/** The name it is kept by when the page is loaded anew. */
export const itemsForm = 'settingItems'

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
  const form = useEntered(settingForm, items, useKeptInput<Values>(itemsForm))
  const [start] = useState(() => initialValues(settingForm, undefined, items))
  const save = useAction(deviceSetting, 'saveItems')
  const dirty = JSON.stringify(start) !== JSON.stringify(form.values)
  const settle = useDirtyGuard(dirty, {
    as: itemsForm,
    input: withoutSecrets(settingForm, form.values),
    partly: hasSecrets(settingForm, form.values),
  })
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
    if (dirty && !(await save.run({ id, items: next }))) return
    settle()
    onClose()
  }
  return (
    <DrawerForm title={title} submit={t('kit.form.save')} busy={save.running} onSubmit={submit} onClose={close}>
      <fieldset>
        <EnteredFields form={form} />
      </fieldset>
    </DrawerForm>
  )
}
