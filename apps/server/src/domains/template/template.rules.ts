import { AppError, systemTypeOf, templateErrors } from '@campanile/contract'
import type { Seal } from '../../platform/seal.ts'
import type { CommandRules } from '../command/index.ts'
import type { KindRules } from '../release/index.ts'
import {
  type Applied,
  findSystems,
  findTemplate,
  findVersions,
  readItems,
  removeApplied,
  type Template,
  writeApplied,
} from './template.store.ts'

/** A sealed password opens in its own row only. */
export const contextOf = (templateId: number) => `config_template.${templateId}.wifi_password`

/** How templates are applied and taken back. */
export const templateRules = (seal: Pick<Seal, 'unseal'>): KindRules<Template> => ({
  find: findTemplate,
  refuse: async (db, { id, systemType }, devices, { action }) => {
    const ids = devices.map((device) => device.id)
    if (action === 'undo') {
      const applied = await findVersions(db, id, ids)
      return devices
        .filter((device) => !applied.has(device.id))
        .map(({ sn }) => new AppError(templateErrors.notApplied, { sn }))
    }
    const systems = await findSystems(db, ids)
    return devices
      .filter((device) => (systemTypeOf(systems.get(device.id)) ?? systemType) !== systemType)
      .map(({ sn }) => new AppError(templateErrors.systemTypeDiffers, { sn }))
  },
  command: (_db, { id, version, items, wifiPassword }, { action }) =>
    action === 'undo'
      ? { command: 'undoTemplate', args: { templateId: id } }
      : {
          command: 'applyTemplate',
          args: {
            templateId: id,
            version: Number(version),
            items: items as never,
            ...(wifiPassword !== null && { wifiPassword: seal.unseal(wifiPassword, contextOf(id)) }),
          },
        },
  versionsOf: (db, { id }, deviceIds) => findVersions(db, id, deviceIds),
})

/** A device that does not say what holds now holds what it was told. */
export const applied: CommandRules<'applyTemplate'> = {
  done: (tx, done) =>
    writeApplied(
      tx,
      done.map(
        ({ deviceId, args, result, time }): Applied => ({
          deviceId,
          templateId: args.templateId,
          version: args.version,
          held: result?.items === undefined ? readItems(args.items) : readItems(result.items),
          before: readItems(result?.before),
          time,
        }),
      ),
    ),
}

export const undone: CommandRules<'undoTemplate'> = {
  done: (tx, done) =>
    removeApplied(
      tx,
      done.map(({ deviceId, args: { templateId } }) => ({ deviceId, templateId })),
    ),
}
