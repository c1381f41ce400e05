import { TAG_SEPARATOR } from '@waymark/contract/schemas'
import type { LinkRow, LinkTagRow } from '../../storage/db/tables.ts'
import { readJsonCell } from './json-cell.ts'

type TagColumns = Pick<LinkRow, 'tag' | 'more_tags'>

interface Tagged {
  readonly tag?: string | null | undefined
  readonly tags?: readonly string[] | null | undefined
}

/** The tags of a stored link, the first one first. */
export function tagsOf({ tag, more_tags }: TagColumns): string[] {
  if (tag === null) return []
  return more_tags === null ? [tag] : [tag, ...more_tags.split(TAG_SEPARATOR)]
}

/** All tags but the first, as they are stored. */
export function packMoreTags(tags: readonly string[]): string | null {
  return tags.length > 1 ? tags.slice(1).join(TAG_SEPARATOR) : null
}

/** `tag` and `tags` that agree, or neither if the input leaves the tags as they are. */
export function settledTags(
  { tag, tags }: Tagged,
  known: readonly string[],
): { tag?: string | null; tags?: string[] } {
  if (tag === undefined && tags === undefined) return {}
  const settled = tags ?? (typeof tag === 'string' ? withFirst(tag, known) : [])
  return { tag: settled[0] ?? null, tags: [...settled] }
}

/** Another first tag replaces the first, and an unchanged one changes nothing. */
function withFirst(first: string, known: readonly string[]): string[] {
  return [first, ...known.slice(1).filter((other) => other !== first)]
}

/** The tags of a link as rows. */
export const tagRows = (
  { uuid, user_uuid }: Pick<LinkRow, 'uuid' | 'user_uuid'>,
  tags: readonly string[],
): LinkTagRow[] => tags.map((tag) => ({ user_uuid, tag, link_uuid: uuid }))

const NEEDS_JSON = /[,;|"[\]]|^\s|\s$|^$/

/** Tags as one cell of a CSV file: separated by commas, or as a JSON list if one of them would not survive that. */
export function tagsCell(tags: readonly string[]): string {
  return tags.some((tag) => NEEDS_JSON.test(tag)) ? JSON.stringify(tags) : tags.join(',')
}

/** Reads such a cell. Other services separate tags by semicolons or bars. */
export function readTagsCell(cell: string): unknown {
  if (cell.startsWith('[')) return readJsonCell(cell)
  return cell
    .split(/[,;|]/)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
}
