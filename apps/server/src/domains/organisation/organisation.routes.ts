import { type AnswerOf, departments, organisation, organisationDetail } from '@campanile/contract'
import { covers, scopeFor } from '../../kit/actor.ts'
import { byDefault, mount } from '../../kit/mount.ts'
import { findRow } from '../../kit/rows.ts'
import { touchRows } from '../../kit/touched.ts'
import type { Db } from '../../platform/db.ts'
import type { Services } from '../../services.ts'
import { findDepartmentsByName } from './department-names.ts'
import { askTree, childNodes, findNodes } from './department-tree.ts'
import { findMaintenance, sourcesOf } from './maintenance.ts'
import type { Occupant } from './occupants.ts'
import { createOrganisationService, type Followers } from './organisation.service.ts'
import { findSpot } from './organisation.store.ts'
import { organisationTable as table } from './organisation.table.ts'

type FindAdministrators = (
  db: Db,
  departmentId: number,
) => Promise<AnswerOf<typeof organisationDetail>['administrators']>

/** The view shows the first of them; the list shows all. */
const mostChildren = 200

export const mountOrganisation = ({ kit, settings }: Services) => {
  const occupants: Occupant[] = []
  const founded: Followers['founded'][] = []
  const moved: Followers['moved'][] = []
  let findAdministrators: FindAdministrators = async () => []
  const organisations = createOrganisationService({
    occupants,
    settings,
    followers: {
      founded: async (db, id) => {
        for (const follow of founded) await follow(db, id)
      },
      moved: async (db, to, from) => {
        for (const follow of moved) await follow(db, to, from)
      },
    },
  })

  mount(kit, table, {
    list: byDefault,
    create: organisations.create,
    update: organisations.update,
    remove: organisations.remove,
    export: byDefault,
    import: { check: organisations.check, under: 'parentId' },
    actions: { move: organisations.move },
  })

  kit.longWork.imports.resolves(organisation, findDepartmentsByName)

  kit.guarded(departments, 'organisation', async ({ db, scope, input }) => ({ rows: await askTree(db, scope, input) }))

  kit.guarded(organisationDetail, 'organisation', async (call) => {
    const { db, scope, actor } = call
    const { id } = call.input
    const row = await findRow(db, table, scope, id)
    const [[node], children, spot, windows] = await Promise.all([
      findNodes(db, scope, [id]),
      childNodes(db, scope, id, mostChildren),
      findSpot(db, scope, id),
      findMaintenance(db, [id], new Date()),
    ])
    const window = windows.get(id)
    // Who administers a department is told to those who may see its users at all.
    const users = scopeFor(actor, 'system:user:list')
    const administrators = users && spot && covers(users, spot.path) ? await findAdministrators(db, id) : []
    call.note({ description: row.name })
    await touchRows(call, table, [id])
    return {
      row,
      maintenance: window
        ? {
            hours: window.hours,
            days: window.days && [...window.days],
            of: sourcesOf(scope, [window.of]),
            own: window.of.id === id,
          }
        : null,
      path: node?.path ?? [],
      counts: {
        children: row.childCount,
        devices: row.deviceCount,
        persons: row.personCount,
        administrators: administrators.length,
      },
      administrators,
      children,
    }
  })

  return {
    /** The rows of this table live in departments: one that holds any cannot be removed. */
    occupiedBy: (occupant: Occupant) => void occupants.push(occupant),
    /** Called in the transaction in which an SI, an enterprise or a school was added. */
    onFounded: (follow: Followers['founded']) => void founded.push(follow),
    /** Called in the transaction in which a subtree has come to stand elsewhere. */
    onMoved: (follow: Followers['moved']) => void moved.push(follow),
    /** Who tells which people administer a department. */
    administeredBy: (find: FindAdministrators) => {
      findAdministrators = find
    },
  }
}
