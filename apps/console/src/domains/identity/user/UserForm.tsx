import { notByOneself, type Row, user } from '@campanile/contract'
import { Link } from 'react-router'
import { afterCreateMs, afterRoleOrUserChangeMs, pause } from '../../../kit/delays.ts'
import { FormDrawer, type OwnInputs } from '../../../kit/form/FormDrawer.tsx'
import { type InputProps, inputs as kinds } from '../../../kit/inputs/inputs.tsx'
import { SecretInput } from '../../../kit/inputs/SecretInput.tsx'
import { useSession } from '../../../shell/session/session.ts'
import { generatePassword } from '../password/generatePassword.ts'
import { RoleInput } from './RoleInput.tsx'
import { TypeInput } from './TypeInput.tsx'
import { WhitelistInput } from './WhitelistInput.tsx'

interface Props {
  row: Row<typeof user> | undefined
  onClose: () => void
  onSaved: () => unknown
}

const inputs = {
  password: (props: InputProps) => <SecretInput {...props} generate={generatePassword} />,
  type: (props: InputProps) => <TypeInput {...props} />,
  roleIds: (props: InputProps) => <RoleInput {...props} />,
  whitelistIp: (props: InputProps) => <WhitelistInput {...props} />,
  departmentId: kinds.department,
  validStart: kinds.date,
  validEnd: kinds.date,
}

/** Seen but not changed: what decides about a person is another administrator's. */
const ownInputs: OwnInputs = {
  ...Object.fromEntries(
    notByOneself.map((name) => [name, (props: InputProps) => inputs[name]({ ...props, disabled: true })]),
  ),
  password: ({ id, reader }) => (
    <p id={id} className="field-help">
      {reader.t('user.ownAccount')} <Link to="/personal?tab=security">{reader.t('personal.password.change')}</Link>
    </p>
  ),
}

/** Sections and rules from the declaration; four fields need more words than their kind has. */
export function UserForm({ row, onClose, onSaved }: Props) {
  const isOwn = useSession(({ session }) => session?.user.uid) === row?.id
  const settle = () => {
    // The drawer need not wait: the list is read now and once more when a slow server has settled.
    void pause(row === undefined ? afterCreateMs : afterRoleOrUserChangeMs).then(onSaved)
  }
  return <FormDrawer resource={user} row={row} inputs={isOwn ? ownInputs : inputs} onClose={onClose} onSaved={settle} />
}
