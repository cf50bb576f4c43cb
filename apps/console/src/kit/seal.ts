/** Browsers give no encryption to pages over plain http, except on the machine itself. */
export const canEncrypt = (): boolean => globalThis.crypto?.subtle !== undefined

const bytesOf = (pem: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(pem.replace(/-----[^-]+-----|\s/g, '')), (char) => char.charCodeAt(0))

const base64 = (bytes: ArrayBuffer): string => btoa(String.fromCharCode(...new Uint8Array(bytes)))

/** RSA-OAEP with SHA-256 of `{ nonce, password }`, so that a recorded message cannot be sent again. */
export const seal = async (password: string, key: { publicKey: string; nonce: string }): Promise<string> => {
  const algorithm = { name: 'RSA-OAEP', hash: 'SHA-256' }
  const imported = await crypto.subtle.importKey('spki', bytesOf(key.publicKey), algorithm, false, ['encrypt'])
  const message = new TextEncoder().encode(JSON.stringify({ nonce: key.nonce, password }))
  return base64(await crypto.subtle.encrypt(algorithm, imported, message))
}
