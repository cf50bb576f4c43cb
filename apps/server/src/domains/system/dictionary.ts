import { AppError, commonErrors, dictionaries, dictionaryItem, shippedDictionaries } from '@campanile/contract'
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
  constraints: { dictionary_item_dictionary_code_key: { ...commonErrors.alreadyExists, field: 'code' } },
})

type Entry = CodeTables[number] & { enabled: boolean; orderNum: number }

export const loadCodeTables = async (db: Db): Promise<Entry[]> => {
  const { rows } = await sql<Entry>`select dictionary, code, label, enabled, order_num as "orderNum"
    from dictionary_item order by dictionary, order_num, code`.execute(db)
  return rows
}

/** Those of these codes that people may choose. */
export const findEnabledCodes = async (
  db: Db,
  dictionary: string,
  codes: readonly number[],
): Promise<ReadonlySet<number>> => {
  const { rows } = await sql<{ code: number }>`select code from dictionary_item
    where dictionary = ${dictionary} and code = any(${[...new Set(codes)]}) and enabled`.execute(db)
  return new Set(rows.map(({ code }) => code))
}

/** For every start: codes that are new appear; labels people have edited stay theirs. */
export const addShippedCodes = async (db: Db) => {
  const shipped = Object.entries(shippedDictionaries).flatMap(([dictionary, codes]) =>
    codes.map(({ code, label }, at) => ({ dictionary, code, label, order_num: at + 1 })),
  )
  await sql`insert into dictionary_item (dictionary, code, label, order_num, built_in)
    select dictionary, code, label, order_num, true
    from jsonb_to_recordset(${JSON.stringify(shipped)}::jsonb) as item (dictionary text, code smallint, label jsonb, order_num smallint)
    on conflict (dictionary, code) do update set built_in = true where not dictionary_item.built_in`.execute(db)
}

const refuseBuiltIn = async (db: Db, ids: readonly number[]) => {
  const { rows } = await sql`select 1 from dictionary_item where id = any(${ids}) and built_in`.execute(db)
  if (rows.length > 0) throw new AppError(commonErrors.inUse)
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
