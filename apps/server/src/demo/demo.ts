import { demoPassword, organisationType, type RolePreset, userType } from '@campanile/contract'
import { sql } from 'kysely'
import { enrol, foundRole, plant } from '../domains/identity/index.ts'
import { type Config, isPublic, publicBy } from '../platform/config.ts'
import type { Db } from '../platform/db.ts'
import { OperatorError } from '../platform/operator-error.ts'
import { hashPassword, verifyPassword } from '../platform/password-hash.ts'
import { growFleet } from './fleet.ts'
import { growLogistics, growRetail, growSchool } from './organisations.ts'

export interface DemoAccount {
  readonly username: string
  readonly password: string
  readonly what: string
}

const top = 'Harbour Systems'

/** The four kinds of administrator each demo organisation has, as `word.kind`. */
const kinds: readonly { kind: string; type: number; preset: RolePreset; what: string }[] = [
  { kind: 'admin', type: userType.super, preset: 'administrator', what: 'super administrator' },
  { kind: 'safety', type: userType.safetyOfficer, preset: 'safetyOfficer', what: 'safety officer' },
  { kind: 'operator', type: userType.operator, preset: 'operator', what: 'operator' },
  { kind: 'auditor', type: userType.auditor, preset: 'auditor', what: 'auditor' },
]
const male = 1
const female = 2
const heads = [
  {
    word: 'harbour',
    name: top,
    people: [
      { realName: 'Vivian Lau', sex: female },
      { realName: 'Marcus Feld', sex: male },
      { realName: 'Irene Castillo', sex: female },
      { realName: 'Tomasz Nowak', sex: male },
    ],
  },
  {
    word: 'retail',
    name: 'Northgate Retail',
    people: [
      { realName: 'Grace Whitfield', sex: female },
      { realName: 'Daniel Osei', sex: male },
      { realName: 'Priya Raman', sex: female },
      { realName: 'Helen Brandt', sex: female },
    ],
  },
  {
    word: 'logistics',
    name: 'Meridian Logistics',
    people: [
      { realName: 'Lukas Berger', sex: male },
      { realName: 'Chen Yu-ting', sex: female },
      { realName: 'Amara Diallo', sex: female },
      { realName: 'Peter Holm', sex: male },
    ],
  },
  {
    word: 'school',
    name: 'Riverside School',
    people: [
      { realName: 'Zhang Wei', sex: male },
      { realName: 'Liu Min', sex: female },
      { realName: 'Wang Fang', sex: female },
      { realName: 'Sun Hao', sex: male },
    ],
  },
] as const

const demoAccounts: readonly DemoAccount[] = heads.flatMap(({ word, name }) =>
  kinds.map(({ kind, what }) => ({ username: `${word}.${kind}`, password: demoPassword, what: `${what} of ${name}` })),
)

/** Who looks after a store; whose form a class is. */
const managers = [
  'Alice Moreau',
  'Ben Carter',
  'Carla Rossi',
  'Dmitri Volkov',
  'Elif Kaya',
  'Femi Adeyemi',
  'Gita Shah',
  'Hugo Lindqvist',
  'Ines Pereira',
  'Jonas Weber',
  'Kenji Mori',
  'Lena Fischer',
]
const teachers = [
  'Chen Jing',
  'Guo Lei',
  'Hu Xin',
  'Lin Yan',
  'Ma Chao',
  'Qin Lan',
  'Tang Bo',
  'Xu Ning',
  'Yang Rui',
  'Zhao Qi',
]
const managerAccount = (realName: string) => realName.toLowerCase().replace(' ', '.')
const teacherAccount = (realName: string) => `teacher.${realName.toLowerCase().replace(' ', '')}`

/** Everybody the demonstration enrols. */
const demoUsernames: readonly string[] = [
  ...demoAccounts.map(({ username }) => username),
  ...managers.map(managerAccount),
  ...teachers.map(teacherAccount),
]

/** More names than this do not help. */
const namedAtMost = 10

/**
 * Accounts that the demonstration's password opens, disabled ones too: they are enabled with a click. Only hashes that
 * several accounts share, as the demonstration's do under whatever name, and those of names it uses are tried out:
 * trying one takes long on purpose.
 */
const findOpenAccounts = async (db: Db): Promise<string[]> => {
  const { rows } = await sql<{ hash: string; usernames: string[] }>`select password_hash as hash,
      array_agg(username order by username) as usernames
    from sys_user group by password_hash
    having count(*) > 1 or bool_or(is_default or username = any(${[...demoUsernames]}))`.execute(db)
  const open = await Promise.all(rows.map(({ hash }) => verifyPassword(hash, demoPassword)))
  return rows.flatMap(({ usernames }, at) => (open[at] ? usernames : [])).sort()
}

/** Published passwords must not be reachable from other machines, neither those about to be made nor those of last time. */
export const refuseDemoInPublic = async (
  db: Db,
  config: Pick<Config, 'host' | 'demo'> & Partial<Pick<Config, 'trustedProxies'>>,
) => {
  if (!isPublic(config)) return
  if (config.demo) {
    throw new OperatorError(
      `The demonstration's passwords are published and ${publicBy(config)}: leave --demo out, or set CAMPANILE_HOST to 127.0.0.1 and no CAMPANILE_TRUSTED_PROXIES.`,
    )
  }
  const open = await findOpenAccounts(db)
  if (open.length === 0) return
  const named = open.slice(0, namedAtMost).join(', ')
  const more = open.length > namedAtMost ? ` and ${open.length - namedAtMost} more` : ''
  throw new OperatorError(
    `These accounts have the demonstration's published password and ${publicBy(config)}: ${named}${more}. Give each a new one with "npm run campanile -- user reset-password NAME", delete them while only this machine reaches the server, or choose another CAMPANILE_DATA.`,
  )
}

/** An SI with two enterprises and a school, their administrators, their devices and a few weeks of traces. Made once. */
export const growDemo = async (db: Db, root: number): Promise<readonly DemoAccount[]> => {
  const known = await sql<{ id: number }>`select id from department
    where parent_id = ${root} and name = ${top}`.execute(db)
  await growFleet(db, known.rows[0]?.id ?? (await grow(db, root)))
  return demoAccounts
}

const grow = async (db: Db, root: number): Promise<number> => {
  const passwordHash = await hashPassword(demoPassword)
  const si = await plant(db, { name: top, type: organisationType.si, parentId: root, also: { area_name: 'Harbour' } })
  const retail = await growRetail(db, si)
  const logistics = await growLogistics(db, si)
  const school = await growSchool(db, si)
  const places = [si, retail.id, logistics.id, school.id]

  const made = new Map<string, number>()
  for (const [at, { word, people }] of heads.entries()) {
    for (const [index, { kind, type, preset }] of kinds.entries()) {
      const username = `${word}.${kind}`
      const departmentId = places[at] ?? si
      const mobile = `1380${String(at + 1)}${String(index + 1)}0${String(1000 + at * 100 + index)}`.slice(0, 11)
      made.set(
        username,
        await enrol(db, {
          username,
          realName: username,
          ...people[index],
          departmentId,
          type,
          passwordHash,
          presets: [preset],
          mobile,
        }),
      )
    }
  }
  const retailAdmin = made.get('retail.admin') ?? 0
  const manager = await foundRole(db, {
    name: 'Store manager',
    remark: 'Looks after the stores of one region',
    departmentId: retail.id,
    creatorId: retailAdmin,
    permissions: [
      'org:list:list',
      'org:list:edit',
      'org:tree:list',
      'iot:files:list',
      'iot:files:download',
      'notice:announcement:list',
    ],
    on: [retail.north],
  })
  const readers = await foundRole(db, {
    name: 'Form teachers',
    remark: 'Sees classes and announcements',
    departmentId: school.id,
    creatorId: made.get('school.admin') ?? 0,
    permissions: ['org:list:list', 'org:tree:list', 'notice:announcement:list'],
    on: [school.id],
  })
  await enrolStoreManagers(db, passwordHash, retail.stores, manager, retailAdmin)
  await enrolTeachers(db, passwordHash, school.classes, readers, made.get('school.admin') ?? 0)
  await announce(db, { si, retail: retail.id, school: school.id }, made)
  return si
}

/** Twelve people, four of whom cannot simply sign in: every state the list can show. */
const enrolStoreManagers = async (
  db: Db,
  passwordHash: string,
  stores: readonly number[],
  role: number,
  creatorId: number,
) => {
  const states = [
    { lockedUntil: new Date(Date.now() + 30 * 86_400_000) },
    { disabled: true },
    { validStart: '2025-01-01', validEnd: '2025-12-31' },
    { whitelistIp: ['127.0.0.1', '::1', '10.20.0.0/16'] },
  ]
  for (const [at, realName] of managers.entries()) {
    const username = managerAccount(realName)
    const departmentId = stores[at] ?? 0
    const type = userType.operator
    await enrol(db, { username, realName, departmentId, type, passwordHash, roleIds: [role], creatorId, ...states[at] })
  }
}

const enrolTeachers = async (
  db: Db,
  passwordHash: string,
  classes: readonly number[],
  role: number,
  creatorId: number,
) => {
  for (const [at, realName] of teachers.entries()) {
    const username = teacherAccount(realName)
    const departmentId = classes[at] ?? 0
    await enrol(db, {
      username,
      realName,
      departmentId,
      type: userType.operator,
      passwordHash,
      roleIds: [role],
      creatorId,
    })
  }
}

const announce = async (
  db: Db,
  places: { si: number; retail: number; school: number },
  made: ReadonlyMap<string, number>,
) => {
  const notes = [
    {
      place: places.si,
      by: 'harbour.admin',
      level: 'important',
      pinned: true,
      title: 'Maintenance on Saturday',
      text: 'The console is not available on Saturday from 02:00 to 03:00 UTC. Devices keep working.',
    },
    {
      place: places.retail,
      by: 'retail.admin',
      level: 'info',
      pinned: false,
      title: 'Three new stores in the south',
      text: 'Jarrow, Kingsley and Langham open this month. Their terminals arrive next week.',
    },
    {
      place: places.school,
      by: 'school.admin',
      level: 'info',
      pinned: false,
      title: 'Parents’ evening',
      text: 'Classes 1A to 3B meet on Thursday at 18:00 in the main hall.',
    },
  ]
  for (const { place, by, level, pinned, title, text } of notes)
    await sql`insert into announcement (title, text, level, department_id, pinned, creator_id)
      values (${title}, ${text}, ${level}, ${place}, ${pinned}, ${made.get(by) ?? null})`.execute(db)
}
