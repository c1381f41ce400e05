import { hash } from 'node:crypto'
import type { LinkRow } from '../../storage/db/tables.ts'
import { linkFields, tagsOf } from './link-fields.ts'

type Unmarked = Omit<LinkRow, 'fingerprint'>

/** The columns that requests fill, with the value of an omitted field. */
const { tag: _tag, more_tags: _moreTags, ...initialColumns } = linkFields.newColumns({ link: '' })
const initials = Object.entries(initialColumns) as [keyof Unmarked, unknown][]

/**
 * A hash of the domain and of every setting of a link except its password, to find links with the same ones. Default values
 * are left out, so that a field that is added later changes no fingerprint. Tags count as a set.
 */
export function fingerprintOf(row: Unmarked): string {
  const set = initials.flatMap(([column, initial]) =>
    row[column] === initial ? [] : [[column, row[column]]],
  )
  const code = row.custom === 1 ? row.short_code : null
  const text = JSON.stringify([row.domain, code, row.preview, tagsOf(row).toSorted(), set])
  return hash('sha256', text, 'base64url').slice(0, 24)
}
