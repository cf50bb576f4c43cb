import { stat } from 'node:fs/promises'
import { OperatorError } from '../operator-error.ts'

/** Whom PostgreSQL runs as. Undefined: as the user who started us. */
export type Account = { uid: number; gid: number } | undefined

const nobody = { uid: 65534, gid: 65534 }

/** PostgreSQL refuses to run as root, so root hands it to whoever owns the cluster already, or to nobody. */
export async function chooseAccount(clusterDir: string): Promise<Account> {
  if (process.getuid?.() !== 0) return undefined
  if (process.platform !== 'linux') {
    throw new OperatorError(
      'The embedded database cannot run as root on this system: start Campanile as an ordinary user.',
    )
  }
  const owner = await stat(clusterDir).catch(() => undefined)
  return owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : nobody
}
