import { randomBytes } from 'node:crypto'

/** In the order of time, nearly, and never given twice. */
export function newBatchId(): string {
  return Date.now().toString(36).padStart(9, '0') + randomBytes(6).toString('base64url')
}
