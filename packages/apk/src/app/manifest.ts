import { refusing } from '../android/chunks.ts'
import type { Value } from '../android/values.ts'
import { type Element, readElements } from '../android/xml.ts'
import { Refusal } from '../refusal.ts'

/** What stands in an app's manifest, references not yet followed. */
export interface Manifest {
  readonly packageName: string
  readonly split: string | undefined
  readonly needsSplits: Value | undefined
  readonly versionCode: Value | undefined
  readonly versionCodeMajor: Value | undefined
  readonly versionName: Value | undefined
  readonly minSdk: Value | undefined
  readonly targetSdk: Value | undefined
  readonly permissions: readonly string[]
  readonly label: Value | undefined
  readonly icons: readonly Value[]
  readonly debuggable: Value | undefined
  readonly testOnly: Value | undefined
}

/** Attributes by their numbers, which Android goes by as well. */
const ids = {
  label: 0x01010001,
  icon: 0x01010002,
  name: 0x01010003,
  debuggable: 0x0101000f,
  minSdk: 0x0101020c,
  versionCode: 0x0101021b,
  versionName: 0x0101021c,
  targetSdk: 0x01010270,
  testOnly: 0x01010272,
  roundIcon: 0x0101052c,
  versionCodeMajor: 0x01010576,
  needsSplits: 0x01010591,
}
const mostPermissions = 1000
const longestName = 255
const packageName = /^[A-Za-z]\w*(\.[A-Za-z]\w*)+$/
const permissionElements = ['uses-permission', 'uses-permission-sdk-23', 'uses-permission-sdk-m']

function permissionOf(element: Element): string | undefined {
  const name = element.attribute(ids.name)?.text
  // A name that Android could not know is no permission.
  return name !== undefined && name.length <= longestName && /^[\w.-]+$/.test(name) ? name : undefined
}

export const readManifest = (bytes: Buffer): Manifest =>
  refusing('manifestBroken', () => {
    let root: Element | undefined
    let sdk: Element | undefined
    let application: Element | undefined
    const permissions = new Set<string>()
    for (const element of readElements(bytes)) {
      if (element.depth === 0) root ??= element
      if (element.depth !== 1) continue
      if (element.name === 'uses-sdk') sdk ??= element
      if (element.name === 'application') application ??= element
      const permission = permissionElements.includes(element.name) ? permissionOf(element) : undefined
      if (permission !== undefined) permissions.add(permission)
      if (permissions.size > mostPermissions) throw new Refusal('manifestBroken')
    }
    if (root?.name !== 'manifest') throw new Refusal('manifestBroken')
    const name = root.plain('package')?.text ?? ''
    if (name.length > longestName || !packageName.test(name)) throw new Refusal('packageNameWrong')
    const icons = [application?.attribute(ids.icon), application?.attribute(ids.roundIcon)]
    return {
      packageName: name,
      split: root.plain('split')?.text,
      needsSplits: root.attribute(ids.needsSplits),
      versionCode: root.attribute(ids.versionCode),
      versionCodeMajor: root.attribute(ids.versionCodeMajor),
      versionName: root.attribute(ids.versionName),
      minSdk: sdk?.attribute(ids.minSdk),
      targetSdk: sdk?.attribute(ids.targetSdk),
      permissions: [...permissions],
      label: application?.attribute(ids.label),
      icons: icons.filter((icon) => icon !== undefined),
      debuggable: application?.attribute(ids.debuggable),
      testOnly: application?.attribute(ids.testOnly),
    }
  })
