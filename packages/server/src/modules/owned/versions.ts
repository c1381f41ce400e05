import { AppError } from '../../net/errors.ts'
import { isoTime } from '../../work/times.ts'

/** The versions (`updated_at` in responses) that an edit is based on; undefined: any. */
export type KnownVersions = readonly string[] | undefined

/** Rejects an edit based on an outdated version; the error includes the current one. */
export async function checkVersion(
  row: { readonly updated_at: number },
  known: KnownVersions,
  present: () => unknown,
): Promise<void> {
  if (known === undefined || known.includes(isoTime(row.updated_at))) return
  throw new AppError('version_outdated', { extra: { data: await present() } })
}
