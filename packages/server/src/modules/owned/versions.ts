import { AppError } from '../../net/errors.ts'
import { isoTime } from '../../work/times.ts'

/** The versions (`updated_at` as responses show it) that an edit was made for; undefined: any. */
export type KnownVersions = readonly string[] | undefined

/** Rejects an edit that was made for another version than the present one, which the error then carries. */
export async function checkVersion(
  row: { readonly updated_at: number },
  known: KnownVersions,
  present: () => unknown,
): Promise<void> {
  if (known === undefined || known.includes(isoTime(row.updated_at))) return
  throw new AppError('version_outdated', { extra: { data: await present() } })
}
