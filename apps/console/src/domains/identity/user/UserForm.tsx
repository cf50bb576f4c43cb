import { type Row, user } from '@campanile/contract'
import { afterCreateMs, afterRoleOrUserChangeMs, pause } from '../../../kit/delays.ts'
import { FormDrawer, type OwnInputs } from '../../../kit/form/FormDrawer.tsx'
import { PasswordInput } from './PasswordInput.tsx'
import { RoleInput } from './RoleInput.tsx'
import { TypeInput } from './TypeInput.tsx'
import { WhitelistInput } from './WhitelistInput.tsx'

interface Props {
  row: Row<typeof user> | undefined
  onClose: () => void
  onSaved: () => unknown
}

const inputs: OwnInputs = {
  password: (props) => <PasswordInput {...props} />,
  type: (props) => <TypeInput {...props} />,
  roleIds: (props) => <RoleInput {...props} />,
  whitelistIp: (props) => <WhitelistInput {...props} />,
}

/** Sections and rules from the declaration; four fields need more words than their kind has. */
export function UserForm({ row, onClose, onSaved }: Props) {
  const settle = () => {
    // The drawer need not wait: the list is read now and once more when a slow server has settled.
    void pause(row === undefined ? afterCreateMs : afterRoleOrUserChangeMs).then(onSaved)
  }
  return <FormDrawer resource={user} row={row} inputs={inputs} onClose={onClose} onSaved={settle} />
}
