import { AppError, dictionaries, dictionaryItem, gatewayErrors } from '@campanile/contract'
import { sql } from 'kysely'
import { KeptAnswer } from '../../kit/answer.ts'
import type { CodeTables } from '../../kit/export/cells.ts'
import { byDefault, mount } from '../../kit/mount.ts'
import { removeRows, updateRow } from '../../kit/rows.ts'
import { bindTable } from '../../kit/table.ts'
import type { Db } from '../../platform/db.ts'
import type { Services } from '../../services.ts'

const items = bindTable(dictionaryItem, {
  name: 'dictionary_item',
  constraints: { dictionary_item_dictionary_code_key: { ...gatewayErrors.alreadyExists, field: 'code' } },
})

type Entry = CodeTables[number] & { enabled: boolean; orderNum: number }

export const loadCodeTables = async (db: Db): Promise<Entry[]> => {
  const { rows } = await sql<Entry>`select dictionary, code, label, enabled, order_num as "orderNum"
    from dictionary_item order by dictionary, order_num, code`.execute(db)
  return rows
}

const refuseBuiltIn = async (db: Db, ids: readonly number[]) => {
  const { rows } = await sql`select 1 from dictionary_item where id = any(${ids}) and built_in`.execute(db)
  if (rows.length > 0) throw new AppError(gatewayErrors.inUse)
}

/** The product itself speaks of the built-in codes, so they can be renamed and switched off but not removed. */
export const mountDictionary = ({ kit }: Services) => {
  mount(kit, items, {
    list: byDefault,
    create: byDefault,
    update: async (call) => {
      await updateRow(call, items, call.input, { updateTime: new Date() })
      return {}
    },
    remove: async ({ db, scope, input }) => {
      await refuseBuiltIn(db, input)
      return { removed: (await removeRows(db, items, scope, input)).length }
    },
    export: byDefault,
  })

  /** Every screen needs them and they hardly change: the browser keeps them and asks whether they are still right. */
  kit.guarded(dictionaries, 'dictionaryItem', async ({ db }) => new KeptAnswer({ rows: await loadCodeTables(db) }))
}
