import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits, in letters a header and an address may carry. */
export const newToken = () => randomBytes(32).toString('base64url')

export const isToken = (text: string) => /^[A-Za-z0-9_-]{43}$/.test(text)

/** What the database keeps: whoever reads it there cannot call with it. */
export const hashToken = (token: string) => createHash('sha256').update(token).digest()
