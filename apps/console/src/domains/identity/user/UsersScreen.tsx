import { user } from '@campanile/contract/identity'
import type { Row } from '@campanile/contract/kit'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ListScreen, StateMark, useResourceList } from '../../../kit/index.ts'
import { dayText } from '../../../kit/time.ts'
import { useAction, usePermitted } from '../../../kit/useAction.ts'
import { later } from '../../../shell/later.tsx'
import { useSession } from '../../../shell/session/session.ts'
import { useSettle } from '../useSettle.ts'
import { LoginState } from './LoginState.tsx'
import { twoFactorState, twoFactorTones } from './twoFactorState.ts'
import { validityCell, validityText } from './validity.ts'
import '../identity.css'

type User = Row<typeof user>

const UserForm = later(async () => (await import('./UserForm.tsx')).UserForm)
const ResetPassword = later(async () => (await import('./ResetPassword.tsx')).ResetPassword)
const UserTwoFactor = later(async () => (await import('./UserTwoFactor.tsx')).UserTwoFactor)

/** Administrators. What a row may do follows from its state; the server decides the rest. */
export default function UsersScreen() {
  const { t } = useTranslation()
  const list = useResourceList(user)
  const me = useSession(({ session }) => session?.user.uid)
  const [dialog, setDialog] = useState<{ kind: 'password' | 'twoFactor'; row: User }>()
  const settle = useSettle(user)
  const onDone = () => settle('changed')
  const unlock = useAction(user, 'unlock', { onDone })
  const enable = useAction(user, 'enable', { onDone })
  const disable = useAction(user, 'disable', { onDone })
  const mayReset = usePermitted(user.actions.resetPassword.perm)
  const mayTwoFactor = usePermitted(user.actions.resetTwoFactor.perm)

  /** Why an account may not be deleted or switched off (behaviour: people.protected). */
  const keptBecause = (row: User) =>
    row.id === me ? t('user.kept.self') : row.isDefault ? t('user.kept.default') : undefined

  return (
    <>
      <ListScreen
        resource={user}
        list={list}
        cells={{
          loginStatus: (row) => <LoginState state={row.loginStatus} />,
          enable2fa: (row) => (
            <StateMark tone={twoFactorTones[twoFactorState(row)]}>
              {t(`user.twoFactor.${twoFactorState(row)}`)}
            </StateMark>
          ),
          validEnd: (row) => (
            <span className="figure" title={validityText(row.validStart, row.validEnd, t)}>
              {validityCell(row.validStart, row.validEnd, dayText(new Date()), t)}
            </span>
          ),
        }}
        form={UserForm}
        removable={(row) => keptBecause(row) === undefined}
        unselectable={keptBecause}
        rowButtons={[
          {
            label: 'user.action.resetPassword',
            shown: (row) => mayReset && row.id !== me,
            run: (row) => setDialog({ kind: 'password', row }),
          },
          {
            label: 'user.action.unlock',
            shown: (row) => unlock.permitted && row.loginStatus === 'locked',
            run: (row) => unlock.run({ id: row.id }),
          },
          {
            label: 'user.action.twoFactor',
            shown: (row) => mayTwoFactor && row.id !== me,
            run: (row) => setDialog({ kind: 'twoFactor', row }),
          },
          {
            label: 'user.action.enable',
            shown: (row) => enable.permitted && row.loginStatus === 'disabled',
            run: (row) => enable.run({ id: row.id }),
          },
          {
            label: 'user.action.disable',
            confirm: true,
            danger: true,
            shown: (row) => disable.permitted && row.loginStatus !== 'disabled',
            blocked: keptBecause,
            run: (row) => disable.run({ id: row.id }),
          },
        ]}
      />
      {dialog?.kind === 'password' && (
        <ResetPassword row={dialog.row} onClose={() => setDialog(undefined)} onDone={onDone} />
      )}
      {dialog?.kind === 'twoFactor' && (
        <UserTwoFactor row={dialog.row} onClose={() => setDialog(undefined)} onDone={onDone} />
      )}
    </>
  )
}
