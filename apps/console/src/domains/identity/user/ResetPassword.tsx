import { user } from '@campanile/contract/identity'
import type { Row } from '@campanile/contract/kit'
import { Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import { calls } from '../../../kit/calls.ts'
import { encryptSecret } from '../../../kit/encrypt.ts'
import { DialogForm } from '../../../kit/form/DialogForm.tsx'
import { Labelled } from '../../../kit/form/Labelled.tsx'
import { useFields } from '../../../kit/form/useFields.ts'
import { NewSecret } from '../../../kit/inputs/NewSecret.tsx'
import { toast } from '../../../shell/feedback.ts'
import { generatePassword } from '../password/generatePassword.ts'
import { useNewPasswordFault } from '../password/useNewPasswordFault.ts'

interface Props {
  row: Row<typeof user>
  onClose: () => void
  onDone: () => unknown
}

/** Somebody else's password: made or typed here, sealed on the way, handed over by the one who sets it. */
export function ResetPassword({ row, onClose, onDone }: Props) {
  const { t } = useTranslation()
  const faultOf = useNewPasswordFault()
  const form = useFields(
    { password: '', confirm: '' },
    {
      serverNames: { newPassword: 'password' },
      check: ({ password, confirm }) => {
        const fault = faultOf(password, confirm)
        return fault === undefined ? {} : { password: fault }
      },
    },
  )
  const reset = async () => {
    const done = await form.submit(async ({ password }) =>
      calls.action(user, 'resetPassword', { id: row.id, password: await encryptSecret(password) }),
    )
    if (!done) return
    toast.success(t('user.done.resetPassword', { name: row.username }))
    onClose()
    await onDone()
  }
  const field = form.field('password')
  return (
    <Modal
      open
      width={480}
      title={t('user.password.resetTitle', { name: row.username })}
      footer={null}
      onCancel={onClose}
      mask={{ closable: !form.dirty }}
    >
      <DialogForm
        lead={t('user.password.resetLead')}
        submit={t('user.action.resetPassword')}
        busy={form.busy}
        onSubmit={reset}
        onCancel={onClose}
      >
        <Labelled {...field} label={t('personal.password.new')} required>
          {({ id, 'aria-describedby': describedBy }) => (
            <NewSecret
              id={id}
              label={t('personal.password.new')}
              value={form.values.password}
              repeat={form.values.confirm}
              onChange={(value) => form.set('password', value)}
              onRepeat={(value) => form.set('confirm', value)}
              onBlur={() => form.values.confirm !== '' && field.onBlur()}
              invalid={field.error !== undefined}
              describedBy={describedBy}
              generate={generatePassword}
            />
          )}
        </Labelled>
      </DialogForm>
    </Modal>
  )
}
