import { notByOneself, user } from '@campanile/contract/identity'
import type { Row } from '@campanile/contract/kit'
import { Link } from 'react-router'
import { FormDrawer, type OwnInputs } from '../../../kit/form/FormDrawer.tsx'
import type { InputProps } from '../../../kit/inputs/input-props.ts'
import { inputs as kinds } from '../../../kit/inputs/inputs.tsx'
import { SecretInput } from '../../../kit/inputs/SecretInput.tsx'
import { useSession } from '../../../shell/session/session.ts'
import { generatePassword } from '../password/generatePassword.ts'
import { useSettle } from '../useSettle.ts'
import { RolesInput } from './RolesPicker.tsx'
import { TypeInput } from './TypeInput.tsx'
import { WhitelistInput } from './WhitelistInput.tsx'

interface Props {
  row: Row<typeof user> | undefined
  onClose: () => void
}

const inputs = {
  password: (props: InputProps) => <SecretInput {...props} generate={generatePassword} />,
  type: (props: InputProps) => <TypeInput {...props} />,
  roleIds: (props: InputProps) => <RolesInput {...props} />,
  whitelistIp: (props: InputProps) => <WhitelistInput {...props} />,
  departmentId: kinds.ref,
  validStart: kinds.date,
  validEnd: kinds.date,
  mobile: kinds.mobile,
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
  mobile: ({ id, reader }) => (
    <p id={id} className="field-help">
      {reader.t('user.ownMobile')} <Link to="/personal?tab=security">{reader.t('personal.mobile.change')}</Link>
    </p>
  ),
}

/** Sections and rules from the declaration; three fields need more words than their kind has. */
export function UserForm({ row, onClose }: Props) {
  const isOwn = useSession(({ session }) => session?.user.uid) === row?.id
  const settle = useSettle(user)
  return (
    <FormDrawer
      resource={user}
      row={row}
      inputs={isOwn ? ownInputs : inputs}
      onClose={onClose}
      onSaved={() => settle(row === undefined ? 'created' : 'changed')}
    />
  )
}
