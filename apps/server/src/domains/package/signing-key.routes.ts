import { signingKey } from '@campanile/contract'
import { mountPlain } from '../../kit/plain.ts'
import { insertRow, updateRow } from '../../kit/rows.ts'
import type { Db } from '../../platform/db.ts'
import type { Seal } from '../../platform/seal.ts'
import type { Services } from '../../services.ts'
import { fingerprintOf } from './fingerprint.ts'
import { signingKeys } from './package.tables.ts'
import { findKey } from './signing-key.store.ts'

/** What a value is sealed for: it opens in no other column. */
const context = 'signing_key.key_value'

interface Deps extends Pick<Services, 'kit'> {
  readonly seal: Seal
  /** Opens what a browser has encrypted. */
  readonly decryptAll: (db: Db, ciphers: { keyValue: string }) => Promise<{ keyValue: string }>
}

/** Signing keys: a file and the value that unlocks it are kept only where the two fit together. */
export const mountSigningKeys = ({ kit, seal, decryptAll }: Deps) => {
  const opened = async (db: Db, keyValue: string) => (await decryptAll(db, { keyValue })).keyValue

  const judge = async (db: Db, fileId: number, value: string) => {
    const pem = await kit.longWork.storedFiles.read(db, { resource: signingKey.name, field: 'keyFile' }, fileId)
    return { fingerprint: fingerprintOf(pem.toString('utf8'), value), keyValue: seal.seal(value, context) }
  }

  mountPlain(kit, signingKeys, {
    create: async ({ db, scope, input }) => {
      const also = await judge(db, input.keyFile.id, await opened(db, input.keyValue))
      return { id: await insertRow(db, signingKeys, scope, input, also) }
    },
    update: async (call) => {
      const { db, input } = call
      const before = await findKey(db, input.id)
      if (!before || (!input.keyFile && !input.keyValue)) {
        await updateRow(call, signingKeys, input)
        return {}
      }
      const value = input.keyValue ? await opened(db, input.keyValue) : seal.unseal(before.keyValue, context)
      await updateRow(call, signingKeys, input, await judge(db, input.keyFile?.id ?? before.keyFile, value))
      return {}
    },
  })
}
