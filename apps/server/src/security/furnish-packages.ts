import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../platform/db.ts'
import type { Ids } from './declared-calls.ts'
import { furnishRelease } from './furnish-releases.ts'

interface Owner {
  readonly word: string
  readonly id: number
  readonly shop: number
  readonly admin: number
}

/** An app of an organisation, a release of it that has ended, and the key it is signed with; none can be made of a few bytes, so they are put in their tables. */
export const furnishPackages = async (db: Db, { word, id, shop, admin }: Owner): Promise<Ids> => {
  const one = async (query: ReturnType<typeof sql<{ id: number }>>) => (await query.execute(db)).rows[0]?.id as number
  const digest = createHash('sha256').update(word).digest()
  const file = (resource: string, field: string) =>
    one(sql`insert into stored_file (stored_as, resource, field, type, size, name, creator_id)
      values (${randomBytes(16).toString('hex')}, ${resource}, ${field}, 'text/plain', 1, ${word}, ${admin}) returning id`)
  const signingKey = await one(sql`insert into signing_key (name, department_id, key_file, key_value, fingerprint)
    values (${`${word} key`}, ${shop}, ${await file('signingKey', 'keyFile')}, ${word}, ${digest.toString('hex')})
    returning id`)
  const content = await one(sql`insert into content (enterprise_id, sha_256, size, part_bytes, stored_as)
    values (${id}, ${digest}, 1, 1, ${randomBytes(16).toString('hex')}) returning id`)
  const appPackage = await one(sql`insert into app_package (content_id, enterprise_id, app_name, package_name, version,
      version_code, size, sha_256, signers, app_cate, signing_key_id, department_id, creator_id)
    select ${content}, ${id}, ${`${word} app`}, ${`org.example.${word}`}, '1.0', 1, 1, ${digest}, '{}', c.id, ${signingKey},
      ${shop}, ${admin} from app_category c order by c.id limit 1 returning id`)
  const released = await furnishRelease(
    { db },
    { word, id, shop, admin },
    { kind: 'app', item: appPackage, name: `${word} app`, action: 'install' },
  )
  // Files that somebody has sent and given to no row yet.
  const sent = {
    'signingKey.keyFile': await file('signingKey', 'keyFile'),
    'appPackage.image': await file('appPackage', 'image'),
    'appCategory.image': await file('appCategory', 'image'),
  }
  return {
    ...sent,
    appHistory: released.release,
    appResult: released.device,
    appStatistic: appPackage,
    signingKey,
    appPackage,
    storeApp: appPackage,
    storeAppOld: appPackage,
  }
}
