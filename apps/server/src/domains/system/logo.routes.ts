import { AppError, commonErrors, logoPicture, readLogo, removeLogo, uploadLogo } from '@campanile/contract'
import { type SqlBool, sql } from 'kysely'
import type { Call } from '../../kit/call.ts'
import type { Services } from '../../services.ts'

const path = readLogo.path.replace(':key', '')

/** The installation's own picture. It is shown before anybody has signed in, so it has an address that anybody may read. */
export const mountLogo = ({ kit, settings }: Pick<Services, 'kit' | 'settings'>) => {
  const { storedFiles } = kit.longWork
  storedFiles.keptBy({
    resource: 'config',
    field: 'logo',
    held: sql<SqlBool>`exists (select from system_config where key = 'logo' and value #>> '{}' = ${path}::text || f.id)`,
  })

  const replace = async (call: Call, logo: string | null) => {
    const before = await settings.get('logo')
    await settings.save(call.db, { logo }, call.actor.id)
    call.note({ type: 'update', description: 'logo', before: { logo: before }, after: { logo } })
    call.afterCommit(async () => settings.forget())
  }

  kit.takesFile(uploadLogo, 'config', {
    ...storedFiles.upload('config', 'logo', logoPicture),
    run: async (call, received) => {
      const { id } = await storedFiles.keep({ ...call, input: { name: 'logo' } }, received)
      const logo = `${path}${id}`
      await replace(call, logo)
      return { logo }
    },
  })

  kit.guarded(removeLogo, 'config', async (call) => {
    await replace(call, null)
    return {}
  })

  kit.open(readLogo, 'config', async ({ db, input }) => {
    // Only the logo in use: files of rows have numbers of the same kind.
    if ((await settings.get('logo')) !== `${path}${input.key}`) throw new AppError(commonErrors.resourceNotFound)
    // A new logo has a new address.
    return storedFiles.open(db, Number(input.key), logoPicture, {
      'cache-control': 'public, max-age=31536000, immutable',
    })
  })
}
