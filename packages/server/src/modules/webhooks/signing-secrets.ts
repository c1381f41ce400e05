import { randomBytes } from 'node:crypto'
import type { Secrets } from '../../storage/secrets.ts'
import { DAY_MS } from '../../work/times.ts'
import type { WebhookRow } from './webhooks.store.ts'

const SECRET_BYTES = 32

/** How long the previous secret stays valid after a rotation. */
export const PREVIOUS_SECRET_MS = DAY_MS

type Sealed = {
  readonly [K in 'uuid' | 'secret_sealed' | 'previous_secret_sealed' | 'previous_secret_until']: WebhookRow[K]
}

/** A new secret, in the form of Standard Webhooks. */
export const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`

/** The valid secrets at a time. */
export const secretsOf = (
  secrets: Secrets,
  { uuid, secret_sealed, previous_secret_sealed, previous_secret_until }: Sealed,
  nowMs: number,
): { readonly secret: string; readonly previousSecret: string | undefined } => ({
  secret: secrets.open(secret_sealed, uuid),
  previousSecret:
    previous_secret_sealed !== null && (previous_secret_until ?? 0) > nowMs
      ? secrets.open(previous_secret_sealed, uuid)
      : undefined,
})
