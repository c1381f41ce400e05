import { type AppError, fieldError } from '../../net/errors.ts'
import type { DomainRow } from '../../storage/db/tables.ts'
import type { Tombstones } from '../../storage/tombstones.ts'

/*
 * Whether a domain ignores the case of its short codes. This is fixed with its first short code, and outlives the domain:
 * erased short codes are never reused, in any spelling that matched them.
 */

export const hadCodes = (): AppError =>
  fieldError('ignore_case', 'Can be set only while the domain has never had a short code', 'domain_had_codes')

/** The columns of a new domain. */
export async function caseOfNew(
  tombstones: Pick<Tombstones, 'has'>,
  name: string,
  isAsked: boolean,
): Promise<Pick<DomainRow, 'ignore_case' | 'has_codes'>> {
  if (await tombstones.has(['domain', name, 'ignored'])) return { ignore_case: 1, has_codes: 1 }
  if (!(await tombstones.has(['domain', name, 'kept']))) return { ignore_case: isAsked ? 1 : 0, has_codes: 0 }
  if (isAsked) throw hadCodes()
  return { ignore_case: 0, has_codes: 1 }
}

/** Remembers domains that had short codes; inside the write that deletes them. */
export async function rememberCase(
  tombstones: Pick<Tombstones, 'add'>,
  rows: readonly DomainRow[],
): Promise<void> {
  const had = rows.filter(({ has_codes }) => has_codes === 1)
  await tombstones.add(
    had.map(({ name, ignore_case }) => ['domain', name, ignore_case === 1 ? 'ignored' : 'kept'] as const),
  )
}
