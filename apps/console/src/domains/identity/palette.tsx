import { user } from '@campanile/contract/identity'
import type { KindView } from '../../shell/palette/kinds.ts'

const person: KindView = {
  icon: 'user',
  beside: ({ tells }) => tells.realName as string,
  below: ({ tells }) => tells.departmentName as string | null,
  end: ({ tells }, reader) =>
    tells.loginStatus === 'normal' ? null : reader.option('loginStatus', String(tells.loginStatus)),
}

export const kinds: Readonly<Record<string, KindView>> = { [user.name]: person, role: { icon: 'role' } }
