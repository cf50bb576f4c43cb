import { type Profile, updateProfile, user } from '@campanile/contract/identity'
import { Button, Input, Radio } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { calls } from '../../../kit/calls.ts'
import { FieldsForm } from '../../../kit/form/FieldsForm.tsx'
import { Labelled } from '../../../kit/form/Labelled.tsx'
import { useFields } from '../../../kit/form/useFields.ts'
import { toast } from '../../../shell/feedback.ts'
import { useDirtyGuard, useKeptInput } from '../../../shell/tabs/index.ts'
import { useRefreshProfile } from './useProfile.ts'

const rules = updateProfile.input.shape
const realNameMax = Number(user.fields.realName.max)
const sexes = [0, 1, 2] as const

interface Props {
  profile: Profile
  onSaved?: () => void
  /** Beside the save button. */
  aside?: ReactNode
}

/** What a person may change about themselves; everything else is an administrator's. */
export function ProfileForm({ profile, onSaved, aside }: Props) {
  const { t } = useTranslation()
  const refresh = useRefreshProfile()
  const start = { realName: profile.realName, sex: profile.sex }
  const form = useFields(start, {
    typed: useKeptInput<Partial<typeof start>>('profile'),
    check: ({ realName }) => ({
      ...(realName.trim() === '' ? { realName: t('kit.error.required') } : {}),
      ...(realName.trim() !== '' && !rules.realName.safeParse(realName).success
        ? { realName: t('kit.error.tooLong', { max: realNameMax }) }
        : {}),
    }),
  })
  const settle = useDirtyGuard(form.dirty, { as: 'profile', input: form.values })

  const save = async () => {
    const saved = await form.submit(async ({ realName, sex }) =>
      refresh(await calls.call(updateProfile, { realName: realName.trim(), sex })),
    )
    if (!saved) return
    settle()
    toast.success(t('personal.profile.saved'))
    onSaved?.()
  }

  const realName = form.field('realName')
  return (
    <FieldsForm onSubmit={save}>
      <Labelled {...realName} label={t('user.field.realName')} required>
        {(state) => (
          <Input
            {...state}
            autoComplete="name"
            count={{ show: true, max: realNameMax }}
            {...(realName.error === undefined ? {} : { status: 'error' as const })}
            value={form.values.realName}
            onChange={(event) => form.set('realName', event.target.value)}
            onBlur={realName.onBlur}
          />
        )}
      </Labelled>
      <Labelled {...form.field('sex')} label={t('user.field.sex')}>
        {({ id }) => (
          <Radio.Group
            id={id}
            aria-label={t('user.field.sex')}
            value={form.values.sex}
            onChange={(event) => form.set('sex', event.target.value)}
            options={sexes.map((value) => ({ value, label: t(`user.option.sex.${value}`) }))}
          />
        )}
      </Labelled>
      <div className="form-buttons">
        <Button type="primary" htmlType="submit" loading={form.busy}>
          {t('personal.profile.save')}
        </Button>
        {aside}
      </div>
    </FieldsForm>
  )
}
