import { constants, generateKeyPairSync, privateDecrypt } from 'node:crypto'
import { expect, it } from 'vitest'
import { seal } from './seal.ts'

it('what is sealed in the browser opens with the server’s key, together with the nonce', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const sealed = await seal('pässwörd 密码 1!', { publicKey: pem, nonce: 'n-1' })
  const opened = privateDecrypt(
    { key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
    Buffer.from(sealed, 'base64'),
  )
  expect(JSON.parse(opened.toString())).toEqual({ nonce: 'n-1', password: 'pässwörd 密码 1!' })
})
