import { publicKey } from '@campanile/contract/identity'
import { calls } from './calls.ts'
import { seal } from './seal.ts'

/** A fresh nonce for each secret: the server takes one only once. */
export const encryptSecret = async (password: string): Promise<string> =>
  seal(password, await calls.call(publicKey, {}))
