import { presetEntries, rolePresets } from '@campanile/contract'
import { sql } from 'kysely'
import type { Language } from '../../kit/call.ts'
import type { Db } from '../../platform/db.ts'
import { languages, textOf } from '../../platform/texts.ts'

export const presetName = (preset: string, language: Language) => textOf(`permission.preset.${preset}`, language)
/** What people read: a shipped role in their language, any other as its maker called it. */
export const roleName = (role: { name: string; preset: string | null }, language: Language) =>
  role.preset ? presetName(role.preset, language) : role.name
/** All of them in every language, for a sheet that is written in one. */
export const presetNames = JSON.stringify(
  Object.fromEntries(
    rolePresets.map((preset) => [
      preset,
      Object.fromEntries(languages.map((language) => [language.toLowerCase(), presetName(preset, language)])),
    ]),
  ),
)
/** Stored in English so that it sorts; people read it in their language. */
const storedName = (preset: string) => presetName(preset, 'en')

/** The shipped roles of a new SI, enterprise or school, reaching all of it. Nobody made them, so nobody edits them. */
export const makePresetRoles = async (db: Db, departmentId: number) => {
  await sql`with made as (
      insert into sys_role (name, department_id, preset)
      select * from unnest(${rolePresets.map(storedName)}::text[], ${rolePresets.map(() => departmentId)}::bigint[],
        ${[...rolePresets]}::text[])
      returning id)
    insert into role_department (role_id, department_id) select id, ${departmentId} from made`.execute(db)
  await fillPresetRoles(db, departmentId)
}

/** Presets follow the product: what a later version adds or drops, every one of them gains or loses. */
export const fillPresetRoles = async (db: Db, departmentId: number | null = null) => {
  for (const preset of rolePresets) {
    const keys = (reachesRoot: boolean) => presetEntries(preset, reachesRoot).map((entry) => entry.key)
    const wanted = sql`select r.id as role_id, m.id as menu_id from sys_role r
      join department d on d.id = r.department_id
      join menu m on m.key = any(case when d.parent_id is null then ${keys(true)}::text[] else ${keys(false)}::text[] end)
      where r.preset = ${preset} and (${departmentId}::bigint is null or r.department_id = ${departmentId})`
    await sql`with wanted as (${wanted}), dropped as (
        delete from role_menu rm using sys_role r where r.id = rm.role_id and r.preset = ${preset}
          and (${departmentId}::bigint is null or r.department_id = ${departmentId})
          and not exists (select from wanted w where w.role_id = rm.role_id and w.menu_id = rm.menu_id))
      insert into role_menu (role_id, menu_id) select role_id, menu_id from wanted on conflict do nothing`.execute(db)
  }
}
