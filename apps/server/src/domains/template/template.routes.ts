import {
  type ActionCall,
  AppError,
  androidItems,
  type configTemplate,
  type Draft,
  type Patch,
  settingsChanged,
  type TemplateItem,
  templateErrors,
  templateItemNames,
} from '@campanile/contract'
import type { Call } from '../../kit/call.ts'
import { mountPlain } from '../../kit/plain.ts'
import { findRow, insertRow, removeRows, updateRow } from '../../kit/rows.ts'
import { touchRows } from '../../kit/touched.ts'
import type { Db } from '../../platform/db.ts'
import { createSeal } from '../../platform/seal.ts'
import type { Services } from '../../services.ts'
import type { Commands } from '../command/index.ts'
import type { Devices } from '../device/index.ts'
import type { KindRules } from '../release/index.ts'
import { applied, contextOf, templateRules, undone } from './template.rules.ts'
import {
  areApplied,
  countVersion,
  findTemplate,
  type Template as ReleasedTemplate,
  readItems,
  setPassword,
  settleItems,
  templateDevices,
  templates,
  writeTold,
} from './template.store.ts'

interface Doors {
  readonly device: Pick<Devices, 'onEvent'>
  readonly command: Pick<Commands, 'serve'>
  readonly release: { bring(kind: 'template', rules: KindRules<ReleasedTemplate>): void }
}
type Template = typeof configTemplate

/** The first item of those that are set that this system does not have. */
const refuseForeign = (systemType: string, values: Readonly<Partial<Record<TemplateItem, unknown>>>) => {
  const foreign = systemType === 'linux' ? androidItems.find((name) => (values[name] ?? null) !== null) : undefined
  if (foreign) throw new AppError({ ...templateErrors.itemNotForSystem, field: foreign }, { name: foreign })
}

/** What devices are being told must not change under them. */
const refuseApplied = async (db: Db, ids: readonly number[]) => {
  if (await areApplied(db, ids)) throw new AppError(templateErrors.applying)
}

export const mountTemplates = ({ kit, secrets }: Services, { device, command, release }: Doors) => {
  const seal = createSeal(secrets.sealKey)

  const settle = async (db: Db, id: number, password: string | null | undefined) => {
    if (password) await setPassword(db, id, seal.seal(password, contextOf(id)))
    const items = await settleItems(db, id)
    if (Object.keys(items).length === 0) throw new AppError(templateErrors.emptyTemplate)
  }

  const create = async ({ db, scope, input, note }: Call<Draft<Template>>) => {
    const { wifiPassword, ...draft } = input
    refuseForeign(draft.systemType ?? 'android', draft)
    const id = await insertRow(db, templates, scope, draft)
    await settle(db, id, wifiPassword)
    note({ description: draft.name })
    return { id }
  }

  const update = async (call: Call<Patch<Template>>) => {
    const { db, scope } = call
    const { wifiPassword, ...patch } = call.input
    const { systemType } = await findRow(db, templates, scope, patch.id)
    refuseForeign(systemType, patch)
    await refuseApplied(db, [patch.id])
    const { after } = await updateRow(call, templates, patch)
    await settle(db, patch.id, wifiPassword)
    if (wifiPassword || templateItemNames.some((name) => name in after)) await countVersion(db, patch.id)
    return {}
  }

  const remove = async ({ db, scope, input, note }: Call<number[]>) => {
    await refuseApplied(db, input)
    const names = await removeRows(db, templates, scope, input)
    note({ description: names.join(', ') })
    return { removed: names.length }
  }

  const copy = async (call: Call<ActionCall<Template, 'copy'>>) => {
    const { db, scope, input, note } = call
    const row = await findRow(db, templates, scope, input.id)
    const id = await insertRow(db, templates, scope, { ...row, name: input.name })
    const sealed = (await findTemplate(db, scope, input.id))?.wifiPassword
    await settle(db, id, sealed && seal.unseal(sealed, contextOf(input.id)))
    await touchRows(call, templates, [id])
    note({ description: `${row.name}, ${input.name}` })
    return { id }
  }

  mountPlain(kit, templates, { create, update, remove, actions: { copy } })
  mountPlain(kit, templateDevices)
  release.bring('template', templateRules(seal))
  command.serve('applyTemplate', applied)
  command.serve('undoTemplate', undone)
  device.onEvent(settingsChanged, (tx, events) =>
    writeTold(
      tx,
      events.map(({ deviceId, time, data }) => ({ deviceId, time, items: readItems(data.items) })),
    ),
  )
}
