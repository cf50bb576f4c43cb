import { healthLicence, imLicence, iotLicence, type licenceKinds, type licenceStates } from '@campanile/contract'
import { type SqlBool, sql } from 'kysely'
import { bindTable } from '../../kit/table.ts'
import { schoolAbove } from '../device/index.ts'
import { isInState, licenceState } from './licence-state.ts'

const state = licenceState('t')

/** A licence stands where its device stands. */
const specOf = (kind: (typeof licenceKinds)[number]) => ({
  name: 'licence',
  joins: sql`join device v on v.id = t.device_id left join department d on d.id = v.department_id`,
  columns: {
    sn: sql`v.sn`,
    departmentId: sql`v.department_id`,
    departmentName: sql`d.name`,
    schoolName: schoolAbove,
    state,
  },
  filters: {
    departmentId: (ids: readonly number[]) =>
      sql<SqlBool>`d.path <@ any(array(select chosen.path from department chosen where chosen.id = any(${ids})))`,
    state: (states: readonly (typeof licenceStates)[number][]) => isInState('t', states),
  },
  path: sql`d.path`,
  key: ['sn'],
  // One that ran out or was taken away is no reason not to give another.
  lasting: sql<SqlBool>`${state} in ('active', 'expiring', 'disabled')`,
  visible: () => sql<SqlBool>`t.kind = ${kind}`,
})

export const licenceTables = {
  iot: bindTable(iotLicence, specOf('iot')),
  im: bindTable(imLicence, specOf('im')),
  health: bindTable(healthLicence, specOf('health')),
}
export type LicenceKind = keyof typeof licenceTables
