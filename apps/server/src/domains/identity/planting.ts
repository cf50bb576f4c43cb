import { isHead } from '@campanile/contract'
import type { Db } from '../../platform/db.ts'
import { plantDepartment, type Seedling } from '../organisation/index.ts'
import { makePresetRoles } from './role-presets.ts'

/** A department of the first start, with the shipped roles where it is the head of an organisation. */
export const plant = async (db: Db, seedling: Seedling): Promise<number> => {
  const id = await plantDepartment(db, seedling)
  if (isHead(seedling.type)) await makePresetRoles(db, id)
  return id
}
