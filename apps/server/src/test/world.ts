import { organisationType, userType } from '@campanile/contract'
import { enrol, plant } from '../domains/identity/index.ts'
import { findRoot } from '../domains/organisation/index.ts'
import { seed } from '../seed.ts'
import { type Answer, quickHash, sealedPassword, startTestApp, testPassword } from './app.ts'

type Body = Readonly<Record<string, unknown>>

/** One administrator of each type, with the role the product ships for it. */
const offices = {
  admin: { type: userType.super, preset: 'administrator' },
  safety: { type: userType.safetyOfficer, preset: 'safetyOfficer' },
  operator: { type: userType.operator, preset: 'operator' },
  auditor: { type: userType.auditor, preset: 'auditor' },
} as const
export type Office = keyof typeof offices
export const allOffices = Object.keys(offices) as Office[]

/** A seeded installation with one SI; `found` adds enterprises that look alike, each with an administrator of each type. */
export const startInstallation = async (settings: Parameters<typeof startTestApp>[0] = {}) => {
  const server = await startTestApp(settings)
  const { db } = server
  await seed({ db, config: { host: '127.0.0.1', demo: false, adminPassword: testPassword } })
  const root = (await findRoot(db)) as number
  const si = await plant(db, { name: 'Harbour', type: organisationType.si, parentId: root })
  const passwordHash = await quickHash(testPassword)

  const appoint = (word: string, office: Office, departmentId: number) =>
    enrol(db, {
      username: `${word}.${office}`,
      realName: `${word} ${office}`,
      departmentId,
      type: offices[office].type,
      passwordHash,
      presets: [offices[office].preset],
    })

  const found = async (word: string) => {
    const id = await plant(db, { name: `${word} works`, type: organisationType.enterprise, parentId: si })
    const office = await plant(db, { name: `${word} office`, type: organisationType.subDepartment, parentId: id })
    const shop = await plant(db, { name: `${word} shop`, type: organisationType.subDepartment, parentId: id })
    const school = await plant(db, { name: `${word} school`, type: organisationType.school, parentId: id })
    return {
      word,
      id,
      office,
      shop,
      school,
      admin: await appoint(word, 'admin', id),
      safety: await appoint(word, 'safety', id),
      operator: await appoint(word, 'operator', id),
      auditor: await appoint(word, 'auditor', id),
    }
  }
  await appoint('harbour', 'admin', si)

  /** Signs in once and calls as that person from then on. */
  const as = async (username: string, password = testPassword) => {
    const { token } = await server.signIn(username, password)
    const options = { token }
    const query = (values: Body) => {
      const search = new URLSearchParams()
      for (const [name, value] of Object.entries(values))
        for (const each of [value].flat()) search.append(name, String(each))
      return search.size > 0 ? `?${search}` : ''
    }
    return {
      token,
      get: (path: string, values: Body = {}): Promise<Answer> =>
        server.request('GET', `${path}${query(values)}`, undefined, options),
      post: (path: string, body: Body = {}): Promise<Answer> => server.request('POST', path, body, options),
      putBytes: (path: string, content: Buffer): Promise<Answer> => server.putBytes(path, content, options),
      upload: (path: string, content: Buffer): Promise<Answer> => server.upload(path, content, options),
      put: (path: string, body: Body = {}): Promise<Answer> => server.request('PUT', path, body, options),
      remove: (path: string, body: Body = {}): Promise<Answer> => server.request('DELETE', path, body, options),
    }
  }

  const sealed = (password: string): Promise<string> => sealedPassword(server, password)

  return { ...server, root, si, appoint, found, as, sealed }
}

export const startWorld = async (settings: Parameters<typeof startTestApp>[0] = {}) => {
  const installation = await startInstallation(settings)
  return { ...installation, a: await installation.found('alder'), b: await installation.found('birch') }
}

export type Enterprise = Awaited<ReturnType<Awaited<ReturnType<typeof startInstallation>>['found']>>
export type World = Awaited<ReturnType<typeof startWorld>>
export type Person = Awaited<ReturnType<World['as']>>
