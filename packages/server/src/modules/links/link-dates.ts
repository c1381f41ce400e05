import { AppError } from '../../runtime/errors.ts'
import type { LinkRow } from '../../storage/db/tables.ts'

interface Dates {
  readonly starts_at?: number | null | undefined
  readonly expire?: number | null | undefined
}

/**
 * What the schema of an edit cannot judge, because it depends on the link: a past `expire` may stay, so that a link
 * that has expired can be sent back as it was returned, and each date is held against the other that is stored.
 */
export function rejectDates(
  input: Dates,
  row: Pick<LinkRow, 'starts_at' | 'expires_at'>,
  nowMs: number,
): void {
  const { starts_at: startsAt = row.starts_at, expire = row.expires_at } = input
  const isMoved = expire !== row.expires_at
  if (isMoved && expire !== null && expire <= nowMs)
    throw new AppError('validation', { errors: { expire: ['Must not be in the past'] } })
  const isChanged = isMoved || startsAt !== row.starts_at
  if (isChanged && startsAt !== null && expire !== null && startsAt >= expire)
    throw new AppError('validation', { errors: { starts_at: ['Must be before expire'] } })
}
