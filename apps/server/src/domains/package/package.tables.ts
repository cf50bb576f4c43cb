import {
  appAudit,
  appCategory,
  appDownload,
  appPackage,
  packageErrors,
  signingKey,
  storeApp,
  storeAppOld,
  storeStatus,
} from '@campanile/contract'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Scope } from '../../kit/actor.ts'
import { plainTable } from '../../kit/plain.ts'
import { reaches } from '../../kit/scope.ts'
import type { TableSpec } from '../../kit/table.ts'
import type { CountedBy } from '../release/index.ts'

export const categories = plainTable(appCategory, {
  columns: { apps: sql`(select count(*) from app_package a where a.app_cate = t.id)` },
  constraints: {
    app_category_name_key: packageErrors.categoryExists,
    app_package_app_cate_fkey: packageErrors.categoryInUse,
  },
})

export const signingKeys = plainTable(signingKey, {
  columns: { apps: sql`(select count(*) from app_package a where a.signing_key_id = t.id)` },
  constraints: {
    signing_key_name_key: packageErrors.signingKeyExists,
    app_package_signing_key_id_fkey: packageErrors.signingKeyInUse,
  },
})

export const apps = plainTable(appPackage, {
  columns: { sha256: sql`encode(t.sha_256, 'hex')`, versionCode: sql`t.version_code::text`, signer: sql`t.signers[1]` },
  key: ['packageName', 'version'],
  constraints: { app_package_enterprise_id_package_name_version_code_key: packageErrors.versionExists },
})

/** Everybody's apps in the store, and whatever this one's enterprise was permitted. */
export const isOffered = (scope: Scope): RawBuilder<SqlBool> =>
  sql`(t.store_status = ${storeStatus.published} and t.type = 'public'
    or ${reaches(scope, sql`d.path`)} and t.store_status = ${storeStatus.published}
    or t.permitted && (select coalesce(array_agg(e.id), '{}') from department e
      where e.path @> any(${scope.paths}::ltree[])))`

const store: Partial<TableSpec> = {
  name: 'app_package',
  joins: sql`left join department d on d.id = t.department_id`,
  reach: isOffered,
}

export const storeApps = plainTable(storeApp, { ...store, path: sql`d.path` })
export const storeAppsOld = plainTable(storeAppOld, { ...store, path: sql`d.path` })

/** What has been submitted, whoever it belongs to. */
export const audits = plainTable(appAudit, {
  name: 'app_package',
  joins: sql`left join sys_user submitter on submitter.id = t.submitter_id
    left join sys_user reviewer on reviewer.id = t.reviewer_id`,
  columns: {
    submitterName: sql`submitter.real_name`,
    reviewerName: sql`reviewer.real_name`,
  },
  visible: () => sql`t.store_status <> ${storeStatus.unpublished}`,
})

export const downloads = plainTable(appDownload, {
  joins: sql`left join sys_user fetcher on fetcher.id = t.user_id`,
  columns: { sn: sql`t.sn`, userName: sql`fetcher.real_name` },
})

/** All versions of an app are one app; of one that was deleted, each stands alone. Putting it on devices is what counts. */
export const byApp: CountedBy = {
  key: sql`coalesce((select a.package_name from app_package a where a.id = r.item_id), r.item_id::text)`,
  actions: ['install'],
}
