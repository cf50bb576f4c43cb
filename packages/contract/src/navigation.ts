import { commands } from './command/commands.ts'
import { uploadPurposes } from './file/upload.purposes.ts'
import { menuType } from './identity/menu.resource.ts'
import type { RolePreset } from './identity/role.resource.ts'
import type { Module, Perm, Resource } from './kit/index.ts'
import { endpoints, resources } from './registry.ts'
import { batchPermissions } from './release/release.kinds.ts'

/** An entry the product ships. People may rename, move and hide it; what it opens and allows is the product's. */
export interface NavigationEntry {
  /** Never changes: by it a later version finds the entry again. */
  readonly key: string
  /** Where its name stands: a list is called what its resource is called, a button what its verb is called. */
  readonly textKey: string
  readonly type: (typeof menuType)[keyof typeof menuType]
  readonly url?: string
  readonly icon?: string
  readonly perms?: string
  /** Rows of the installation itself; nobody below its root may hold it. */
  readonly platform?: boolean
  /** An organisation that does not use this module does not have the entry in its menu. */
  readonly module?: Module
  readonly children: readonly NavigationEntry[]
}

/** `public` and `signedIn` are no strings a role could grant. */
const isGranted = (perm: Perm) => perm.includes(':')

/** Every permission string the verbs and actions of a resource ask for. */
export const permissionsOf = ({ perms, actions }: Resource): string[] =>
  [...(Object.values(perms) as Perm[]), ...Object.values(actions).map((action) => action.perm)].filter(isGranted)

/** Every permission string a route of the registry asks for, and those a command or a file asks for besides its route's. */
export const declaredPermissions: readonly string[] = [
  ...new Set([
    ...resources.flatMap(permissionsOf),
    ...endpoints.map((endpoint) => endpoint.perm).filter(isGranted),
    ...Object.values(commands).map(({ perm }) => perm),
    ...Object.values(uploadPurposes).map(({ perm }) => perm),
    ...batchPermissions,
  ]),
]

/** Lists that declare that they stand here come behind `children`, and `last` behind those. */
const directory = (
  key: string,
  icon: string,
  children: readonly NavigationEntry[],
  last: readonly NavigationEntry[] = [],
): NavigationEntry => ({
  key,
  textKey: `menu.entry.${key}`,
  type: menuType.directory,
  icon,
  children: [...children, ...declaredUnder(key), ...last],
})

/** `device:groupRel:save` after 1: `groupRel.save`. */
const wordsAfter = (perm: string, count: number) => perm.split(':').slice(count).join('.')

/** A screen of its own. Its list permission shows it; every other permission with the same prefix, or of a part named in `also`, is a button below it. */
const screen = (
  key: string,
  url: string,
  icon: string,
  prefix: string,
  {
    also,
    ...rest
  }: Partial<Pick<NavigationEntry, 'platform' | 'textKey' | 'module'>> & { readonly also?: readonly string[] } = {},
): NavigationEntry => {
  const shows = `${prefix}:list`
  const listed = resources.find(({ perms }) => perms.list === shows)
  const isPart = (perm: string) => also?.some((part) => perm.startsWith(`${part}:`)) ?? false
  const buttons = declaredPermissions.filter(
    (perm) => (perm.startsWith(`${prefix}:`) || isPart(perm)) && perm !== shows,
  )
  return {
    key,
    textKey: listed ? `${listed.name}.title` : `menu.entry.${key}`,
    type: menuType.menu,
    url,
    icon,
    perms: shows,
    ...rest,
    children: buttons.map((perms) => ({
      key: perms,
      textKey: isPart(perms) ? `permission.part.${wordsAfter(perms, 1)}` : `permission.verb.${wordsAfter(perms, 2)}`,
      type: menuType.button,
      perms,
      ...(rest.platform && { platform: true }),
      children: [],
    })),
  }
}

/** Lists that say in their own declaration where they stand, behind those named here. */
const declaredUnder = (key: string): NavigationEntry[] =>
  resources.flatMap(({ menu, perms, scope }) =>
    menu?.under === key && perms.list
      ? [
          screen(menu.key, menu.url, menu.icon, perms.list.replace(/:list$/, ''), {
            ...(menu.also && { also: menu.also }),
            ...(scope === 'platform' && { platform: true }),
            ...(menu.module && { module: menu.module }),
          }),
        ]
      : [],
  )

/**
 * The menu of a new installation, in the order people see it: at the top the areas of work, below them entries or groups
 * of entries. A directory in the place of an entry is one entry; what stands in it are the tabs of its page.
 */
export const navigationTree: readonly NavigationEntry[] = [
  { key: 'home', textKey: 'menu.entry.home', type: menuType.menu, url: '/home', icon: 'home', children: [] },
  directory('device', 'device', [
    directory('deviceFleet', 'device', [
      screen('devices', '/device/list', 'device', 'device:list', {
        also: ['device:traffic', 'device:kiosk'],
        textKey: 'menu.entry.devices',
      }),
      screen('deviceGroups', '/device/group', 'organisation', 'device:group', { also: ['device:groupRel'] }),
    ]),
    directory('deviceTask', 'task', [
      screen('deviceTasks', '/deviceTask/list', 'task', 'deviceTask:list'),
      screen('deviceBatch', '/device/batch', 'announcement', 'device:batch'),
      screen('deviceSettings', '/device/settings', 'config', 'device:settings'),
    ]),
    directory('deviceTyped', 'robot', [
      screen('robots', '/device/robot', 'robot', 'device:robot', { module: 'robots' }),
      screen('selfService', '/device/selfService', 'wallet', 'device:selfService', { module: 'selfService' }),
      screen('videoPhones', '/device/videoPhone', 'phone', 'device:videoPhone', { module: 'videoPhones' }),
    ]),
    directory('activation', 'code', [
      screen('activationCodes', '/activation/code', 'code', 'activation:code', { module: 'activation' }),
      directory('licences', 'licence', [
        screen('iotLicences', '/device/license/iot', 'licence', 'license:iot', { module: 'licences' }),
        screen('imLicences', '/device/license/im', 'licence', 'license:im', { module: 'licences' }),
        screen('healthLicences', '/device/license/health', 'licence', 'license:health', { module: 'licences' }),
      ]),
    ]),
    directory('deviceDiagnosis', 'monitor', [
      screen('brokerTasks', '/device/broker/task', 'monitor', 'broker:task', {
        module: 'broker',
        textKey: 'brokerTask.title',
      }),
      screen('queryLog', '/device/queryLog', 'log', 'device:queryLog'),
      screen('testModels', '/device/testModel', 'terminal', 'device:testModel', { module: 'testModels' }),
    ]),
  ]),
  directory('alert', 'alert', []),
  directory('iot', 'package', [
    directory('appGroup', 'package', [], [screen('appBatch', '/IOT/apk/batchRelease', 'announcement', 'iot:apkBatch')]),
    directory(
      'otaGroup',
      'package',
      [],
      [screen('firmwareBatch', '/IOT/ota/batchRelease', 'announcement', 'iot:otaBatch')],
    ),
    screen('customResources', '/custom/resource', 'file', 'custom:resource', { also: ['custom:upload'] }),
    screen('resourceReleases', '/custom/release', 'task', 'custom:release'),
    screen('resourceBatch', '/custom/batchRelease', 'announcement', 'custom:batchRelease'),
    screen('files', '/IOT/files/list', 'file', 'iot:files', { textKey: 'menu.entry.files' }),
  ]),
  directory('organisation', 'organisation', [
    screen('organisationList', '/org/list', 'organisation', 'org:list'),
    screen('organisationTree', '/org/tree', 'organisation', 'org:tree'),
  ]),
  directory('insight', 'analytics', []),
  directory('system', 'system', [
    screen('users', '/system/user', 'users', 'system:user'),
    screen('roles', '/system/role', 'role', 'system:role'),
    screen('menus', '/system/menu', 'menu', 'system:menu', { platform: true }),
    screen('operationLog', '/system/log', 'log', 'system:log'),
    screen('configuration', '/system/config', 'config', 'system:config', {
      platform: true,
      textKey: 'menu.entry.configuration',
    }),
  ]),
]

export const flattened = (entries: readonly NavigationEntry[]): NavigationEntry[] =>
  entries.flatMap((entry) => [entry, ...flattened(entry.children)])

const moduleByPerm: ReadonlyMap<string | undefined, Module> = new Map(
  flattened(navigationTree).flatMap(({ perms, module }) => (perms && module ? [[perms, module]] : [])),
)

/** The module of the screen that this permission shows; none for what every organisation uses. */
export const moduleOf = (perm: string | null | undefined): Module | undefined => moduleByPerm.get(perm ?? undefined)

/** What nobody has to be given: whoever may edit the page it stands on holds it, and who may only read does not. */
export const impliedPermissions: Readonly<Record<string, string>> = {
  'school:callRuleRel:save': 'school:callRule:edit',
  'school:callRuleRel:delete': 'school:callRule:edit',
  'device:groupRel:save': 'device:group:edit',
  'device:groupRel:delete': 'device:group:edit',
  'device:kiosk:view': 'device:kiosk:edit',
}

/** What one role grants, with what follows from it. */
export const withImplied = (permissions: readonly string[]): string[] => {
  const held = new Set(permissions)
  for (const [implied, page] of Object.entries(impliedPermissions)) if (held.has(page)) held.add(implied)
  return [...held]
}

/** While sign-secret mode is on, the safety officer of an SI keeps the signing keys. Never part of a role (behaviour: roles.signing-keys). */
export const signSecret = {
  entry: { key: 'apkSecret', parentKey: 'iot', url: '/IOT/apk/secret', icon: 'key' },
  permissions: ['iot:apkSecret:list', 'iot:apkSecret:add', 'iot:apkSecret:edit', 'iot:apkSecret:delete'],
} as const

const startsWithOneOf =
  (...prefixes: readonly string[]) =>
  (perm: string) =>
    prefixes.some((prefix) => perm.startsWith(prefix))
const isBusiness = (perm: string) => !perm.startsWith('system:')
const isSecurity = startsWithOneOf('system:user:', 'system:role:', 'system:menu:')
/** A page on which there is nothing to read: who may not do what it is for has no use for it. */
const isForDoing = (perm: string) => /:\w*[bB]atch(Release)?:list$/.test(perm)
const isReading = (perm: string) => /:(list|view|detail|download|export)$/.test(perm) && !isForDoing(perm)

/** Business work, security and the look over both shoulders are three people's duties (behaviour: people.duties). */
const presetHolds: Record<RolePreset, (perm: string) => boolean> = {
  administrator: () => true,
  safetyOfficer: (perm) => isSecurity(perm) || perm === 'org:list:list' || perm === 'org:tree:list',
  operator: isBusiness,
  auditor: isReading,
}

/** Entries a shipped role grants; `platform` ones only where the role reaches the root. */
export const presetEntries = (preset: RolePreset, reachesRoot: boolean): NavigationEntry[] =>
  flattened(navigationTree).filter(
    (entry) => entry.perms && (reachesRoot || !entry.platform) && presetHolds[preset](entry.perms),
  )
