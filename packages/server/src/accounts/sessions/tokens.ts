import { createHash, randomBytes } from 'node:crypto'

/** A token that is sent by mail; only its hash is stored. */
export const newToken = (): string => randomBytes(32).toString('base64url')

export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')
