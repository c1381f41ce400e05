import type { Body } from '@waymark/contract/schemas'
import type { LinkRow } from '../../storage/db/tables.ts'
import { packMoreTags, tagsOf } from '../links/link-fields.ts'

export type BulkChange = Body<'bulkEditLinks'>['change']

const MAX_TAGS = 20

/** What a bulk edit did to one link: enough to undo it without touching later changes. */
export interface Done {
  readonly added?: readonly string[]
  readonly removed?: readonly string[]
  /** The value before. */
  readonly archived?: 0 | 1
  /** The values before and after. */
  readonly expires?: readonly [number | null, number | null]
  readonly trashed?: true
}

/** The changes to write for one link. */
export interface LinkChange {
  readonly columns: Partial<LinkRow>
  /** Only set if they change. */
  readonly tags: readonly string[] | undefined
  readonly done: Done
}

/** Applies a change to a link; undefined if nothing changes or the change is not valid for the link. */
export function changeOf(row: LinkRow, change: BulkChange, nowMs: number): LinkChange | undefined {
  const retagged = retag(row, change.add_tags ?? [], change.remove_tags ?? [])
  const expires = expiryOf(row, change, nowMs)
  if (retagged === 'too many' || expires === 'before its start') return undefined
  const archived = change.archived == null ? row.archived : change.archived ? 1 : 0
  return madeOf({
    columns: {
      ...retagged?.columns,
      ...(archived !== row.archived && { archived }),
      ...(expires !== row.expires_at && { expires_at: expires }),
    },
    tags: retagged?.tags,
    done: {
      ...retagged?.done,
      ...(archived !== row.archived && { archived: row.archived }),
      ...(expires !== row.expires_at && { expires: [row.expires_at, expires] }),
    },
  })
}

/** Reverts a change, except for values that have changed since. */
export function reversalOf(row: LinkRow, done: Done): LinkChange | undefined {
  const retagged = retag(row, done.removed ?? [], done.added ?? [])
  const wasArchived = done.archived
  const [before, after] = done.expires ?? []
  return madeOf({
    columns: {
      ...(typeof retagged === 'object' && retagged.columns),
      ...(wasArchived !== undefined && wasArchived !== row.archived && { archived: wasArchived }),
      ...(before !== undefined && after === row.expires_at && { expires_at: before }),
    },
    tags: typeof retagged === 'object' ? retagged.tags : undefined,
    done: {},
  })
}

const madeOf = (change: LinkChange): LinkChange | undefined =>
  Object.keys(change.columns).length === 0 ? undefined : change

function expiryOf(
  row: LinkRow,
  { expire, expire_now }: BulkChange,
  nowMs: number,
): number | null | 'before its start' {
  const hasExpired = row.expires_at !== null && row.expires_at <= nowMs
  const wanted = expire_now === true ? (hasExpired ? row.expires_at : nowMs) : expire
  if (wanted === undefined || wanted === row.expires_at) return row.expires_at
  return wanted !== null && row.starts_at !== null && row.starts_at >= wanted ? 'before its start' : wanted
}

function retag(row: LinkRow, add: readonly string[], remove: readonly string[]) {
  const known = tagsOf(row)
  const kept = known.filter((tag) => !remove.includes(tag) || add.includes(tag))
  const added = add.filter((tag) => !kept.includes(tag))
  const removed = known.filter((tag) => !kept.includes(tag))
  if (added.length === 0 && removed.length === 0) return undefined
  const tags = [...kept, ...added]
  if (tags.length > MAX_TAGS) return 'too many'
  return { columns: { tag: tags[0] ?? null, more_tags: packMoreTags(tags) }, tags, done: { added, removed } }
}
