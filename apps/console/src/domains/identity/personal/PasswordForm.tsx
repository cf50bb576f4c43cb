import { changePassword } from '@campanile/contract/identity'
import { Button, Input } from 'antd'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { calls } from '../../../kit/calls.ts'
import { encryptSecret } from '../../../kit/encrypt.ts'
import { FieldsForm } from '../../../kit/form/FieldsForm.tsx'
import { Labelled } from '../../../kit/form/Labelled.tsx'
import { useFields } from '../../../kit/form/useFields.ts'
import { NewSecret } from '../../../kit/inputs/NewSecret.tsx'
import { toast } from '../../../shell/feedback.ts'
import { useSwitchOrganisation } from '../../../shell/organisations/useSwitchOrganisation.ts'
import { currentSession, replaceSession } from '../../../shell/session/session.ts'
import { useDirtyGuard } from '../../../shell/tabs/index.ts'
import { useNewPasswordFault } from '../password/useNewPasswordFault.ts'
import { useRefreshProfile } from './useProfile.ts'

/** Changes the own password. Every other session of the account ends; this one goes on with a new token. */
export function PasswordForm({ forced }: { forced: boolean }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const refresh = useRefreshProfile()
  const { settleAtOwn } = useSwitchOrganisation()
  const faultOf = useNewPasswordFault()
  const form = useFields(
    { oldPassword: '', newPassword: '', confirm: '' },
    {
      serverNames: { password: 'oldPassword', confirmPassword: 'confirm' },
      check: ({ oldPassword, newPassword, confirm }) => {
        const fault =
          newPassword === oldPassword && newPassword !== '' ? t('error.21007') : faultOf(newPassword, confirm)
        return {
          ...(oldPassword === '' ? { oldPassword: t('kit.error.required') } : {}),
          ...(fault === undefined ? {} : { newPassword: fault }),
        }
      },
    },
  )
  useDirtyGuard(form.dirty)

  const change = async () => {
    const changed = await form.submit(async ({ oldPassword, newPassword }) => {
      // A nonce serves once, so each secret is sealed by itself.
      const sealed = { oldPassword: await encryptSecret(oldPassword), newPassword: await encryptSecret(newPassword) }
      const wasElsewhere = currentSession()?.originToken !== undefined
      // Done with the own token: the new one takes its place, and the organisation entered with the old one is left.
      await replaceSession(() => calls.call(changePassword, sealed, { origin: true }))
      if (wasElsewhere) await settleAtOwn()
    })
    if (!changed) return
    form.reset()
    toast.success(t('personal.password.changed'))
    await refresh()
    if (forced) navigate('/home', { replace: true })
  }

  const old = form.field('oldPassword')
  const fresh = form.field('newPassword')
  return (
    <FieldsForm onSubmit={change}>
      {/* Password managers file the new password under the account they see. */}
      <input type="text" hidden autoComplete="username" readOnly value={currentSession()?.user.username ?? ''} />
      <Labelled {...old} label={t('personal.password.old')} required>
        {(state) => (
          <Input.Password
            {...state}
            autoComplete="current-password"
            {...(old.error === undefined ? {} : { status: 'error' as const })}
            value={form.values.oldPassword}
            onChange={(event) => form.set('oldPassword', event.target.value)}
            onBlur={old.onBlur}
          />
        )}
      </Labelled>
      <Labelled {...fresh} label={t('personal.password.new')} required>
        {({ id, 'aria-describedby': describedBy }) => (
          <NewSecret
            id={id}
            label={t('personal.password.new')}
            value={form.values.newPassword}
            repeat={form.values.confirm}
            onChange={(value) => form.set('newPassword', value)}
            onRepeat={(value) => form.set('confirm', value)}
            onBlur={() => form.values.confirm !== '' && fresh.onBlur()}
            invalid={fresh.error !== undefined}
            describedBy={describedBy}
          />
        )}
      </Labelled>
      <div className="form-buttons">
        <Button type="primary" htmlType="submit" loading={form.busy}>
          {t('personal.password.change')}
        </Button>
      </div>
    </FieldsForm>
  )
}
