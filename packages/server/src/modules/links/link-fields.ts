import {
  type Body,
  type Data,
  type LinkRule,
  type LinkVariant,
  TAG_SEPARATOR,
} from '@waymark/contract/schemas'
import { isoTime, isoTimeOrNull } from '../../work/times.ts'
import type { LinkRow, LinkTagRow } from '../../storage/db/tables.ts'
import { fieldsOf } from '../owned/field-map.ts'
import { presentPreview, previewCell } from './link-previews.ts'

export type Link = Data<'generateLink'>
export type LinkCreate = Body<'generateLink'>

/** What a link can be part of. */
export type LinkOwner = NonNullable<Link['owner']>

/** Data for responses that the row of a link does not have. */
export interface LinkContext {
  /** The name of a stored domain. */
  readonly domainName: (domain: string) => string
  /** The block of an operator that keeps a link from redirecting. */
  readonly blockOf: (link: {
    readonly uuid: string
    readonly workspaceUuid: string
    readonly urls: () => readonly string[]
  }) => { readonly reason: string | null; readonly createdAtMs: number } | undefined
  readonly sharedMediaUrl: (hash: string) => string
  readonly shortUrl: (row: Pick<LinkRow, 'domain' | 'short_code'>) => string
}

/** A list as JSON; an empty one is null. */
const packList = (list: readonly unknown[]): string | null =>
  list.length === 0 ? null : JSON.stringify(list)
/** Parses a list that is stored as JSON. */
export const readList = <T>(packed: string | null): T[] =>
  packed === null ? [] : (JSON.parse(packed) as T[])

const flagOf = (value: boolean): 0 | 1 => (value ? 1 : 0)

/** Every field of a link, in the order of responses and CSV files. */
export const linkFields = fieldsOf<LinkRow, LinkCreate, Link, LinkContext>()({
  link: {
    column: 'url',
    initial: '',
    show: (row) => row.url,
    isSearched: true,
    csv: {
      direction: 'carried',
      aliases: ['longurl', 'originalurl', 'url', 'destination', 'destinationurl', 'target'],
    },
  },
  customLink: {
    isSettledByService: true,
    show: (row) => (row.custom === 1 ? row.short_code : null),
    csv: { direction: 'carried', aliases: ['slug', 'customslug', 'keyword', 'shortcode'] },
  },
  title: {
    column: 'title',
    initial: null,
    show: (row) => row.title,
    isSearched: true,
    csv: { direction: 'carried' },
  },
  description: {
    column: 'description',
    initial: null,
    show: (row) => row.description,
    isSearched: true,
    csv: { direction: 'carried', aliases: ['note'] },
  },
  tag: {
    column: 'tag',
    initial: null,
    show: (row) => row.tag,
    isSearched: true,
    csv: { direction: 'carried' },
  },
  // The first one is in the column `tag`.
  tags: {
    column: 'more_tags',
    initial: null,
    store: packMoreTags,
    show: tagsOf,
    isSearched: true,
    csv: { direction: 'carried', cell: (row) => tagsCell(tagsOf(row)), read: readTagsCell },
  },
  archived: {
    column: 'archived',
    initial: 0,
    store: flagOf,
    show: (row) => row.archived === 1,
    csv: { direction: 'carried', cell: (row) => String(row.archived === 1) },
  },
  starts_at: {
    column: 'starts_at',
    initial: null,
    show: (row) => isoTimeOrNull(row.starts_at),
    csv: { direction: 'carried', aliases: ['validsince', 'startsat'] },
  },
  expire: {
    column: 'expires_at',
    initial: null,
    show: (row) => isoTimeOrNull(row.expires_at),
    csv: { direction: 'carried', aliases: ['expiresat', 'validuntil'] },
  },
  redirect: {
    column: 'redirect',
    initial: 302,
    show: (row) => row.redirect,
    csv: { direction: 'carried' },
  },
  max_clicks: {
    column: 'max_clicks',
    initial: null,
    show: (row) => row.max_clicks,
    csv: { direction: 'carried', aliases: ['maxvisits'] },
  },
  ios_url: {
    column: 'ios_url',
    initial: null,
    show: (row) => row.ios_url,
    csv: { direction: 'carried', aliases: ['ios'] },
  },
  android_url: {
    column: 'android_url',
    initial: null,
    show: (row) => row.android_url,
    csv: { direction: 'carried', aliases: ['android'] },
  },
  forward_query: {
    column: 'forward_query',
    initial: 0,
    store: flagOf,
    show: (row) => row.forward_query === 1,
    csv: {
      direction: 'carried',
      aliases: ['forwardquery'],
      cell: (row) => String(row.forward_query === 1),
    },
  },
  forward_path: {
    column: 'forward_path',
    initial: 0,
    store: flagOf,
    show: (row) => row.forward_path === 1,
    csv: {
      direction: 'carried',
      aliases: ['forwardpath'],
      cell: (row) => String(row.forward_path === 1),
    },
  },
  rules: {
    column: 'rules',
    initial: null,
    store: packList,
    show: (row): Link['rules'] => readList(row.rules),
    csv: { direction: 'carried', cell: (row) => row.rules, read: readJsonCell },
  },
  variants: {
    column: 'variants',
    initial: null,
    store: packList,
    show: (row): Link['variants'] => readList(row.variants),
    csv: { direction: 'carried', cell: (row) => row.variants, read: readJsonCell },
  },
  preview: {
    column: 'preview',
    isSettledByService: true,
    show: (row, { sharedMediaUrl }) => presentPreview(row, sharedMediaUrl),
    csv: { direction: 'carried', cell: previewCell, read: readJsonCell },
  },
  domain: {
    isSettledByService: true,
    show: (row, { domainName }) => domainName(row.domain),
    // An instance's own host is left out: an import elsewhere then uses the host of that instance.
    csv: { direction: 'carried', cell: (row) => row.domain },
  },
  password: { isSettledByService: true, csv: { direction: 'in' } },
  reuse: { isSettledByService: true },
  has_password: {
    show: (row) => row.password_hash !== null,
    csv: { direction: 'out', cell: (row) => String(row.password_hash !== null) },
  },
  code: { column: 'short_code', show: (row) => row.short_code, isSearched: true, csv: { direction: 'out' } },
  short_url: { show: (row, { shortUrl }) => shortUrl(row), csv: { direction: 'out' } },
  clicks: { show: (row) => row.clicks, csv: { direction: 'out' } },
  imported_clicks: { show: (row) => row.imported_clicks, csv: { direction: 'out' } },
  last_click_at: { show: (row) => isoTimeOrNull(row.last_click_at), csv: { direction: 'out' } },
  blocked: {
    show: (row, { blockOf }) => blockedOf(row, blockOf),
    csv: { direction: 'out', cell: (row, { blockOf }) => blockedOf(row, blockOf)?.blocked_at ?? null },
  },
  owner: { show: (row) => ownerOf(row), csv: { direction: 'out', cell: (row) => row.owner_type } },
  created_by: { show: (row) => row.created_by, csv: { direction: 'out' } },
  created_at: { show: (row) => isoTime(row.created_at), csv: { direction: 'out' } },
  updated_at: { show: (row) => isoTime(row.updated_at), csv: { direction: 'out' } },
  uuid: { show: (row) => row.uuid, csv: { direction: 'out' } },
})

const ownerOf = ({ owner_type, owner_uuid }: LinkRow): LinkOwner | null =>
  owner_type === null || owner_uuid === null
    ? null
    : { type: owner_type as LinkOwner['type'], uuid: owner_uuid }

/** Every possible destination of a stored link. */
export const storedDestinations = (row: LinkRow): string[] => [
  ...[row.url, row.ios_url, row.android_url].filter((url) => url !== null),
  ...readList<LinkRule>(row.rules).map(({ to }) => to),
  ...readList<LinkVariant>(row.variants).map(({ url }) => url),
]

const blockedOf = (row: LinkRow, blockOf: LinkContext['blockOf']): Link['blocked'] => {
  const block = blockOf({
    uuid: row.uuid,
    workspaceUuid: row.workspace_uuid,
    urls: () => storedDestinations(row),
  })
  return block === undefined ? null : { reason: block.reason, blocked_at: isoTime(block.createdAtMs) }
}

type TagColumns = Pick<LinkRow, 'tag' | 'more_tags'>

interface Tagged {
  readonly tag?: string | null | undefined
  readonly tags?: readonly string[] | null | undefined
}

/** The tags of a stored link, in order. */
export function tagsOf({ tag, more_tags }: TagColumns): string[] {
  if (tag === null) return []
  return more_tags === null ? [tag] : [tag, ...more_tags.split(TAG_SEPARATOR)]
}

/** All tags but the first, in their stored form. */
export function packMoreTags(tags: readonly string[]): string | null {
  return tags.length > 1 ? tags.slice(1).join(TAG_SEPARATOR) : null
}

/** Consistent `tag` and `tags`; neither if the input does not change the tags. */
export function settledTags(
  { tag, tags }: Tagged,
  known: readonly string[],
): { tag?: string | null; tags?: string[] } {
  if (tag === undefined && tags === undefined) return {}
  const settled = tags ?? (typeof tag === 'string' ? withFirst(tag, known) : [])
  return { tag: settled[0] ?? null, tags: [...settled] }
}

/** Replaces the first tag; an unchanged one changes nothing. */
function withFirst(first: string, known: readonly string[]): string[] {
  return [first, ...known.slice(1).filter((other) => other !== first)]
}

/** The tags of a link as rows. */
export const tagRows = (
  { uuid, workspace_uuid }: Pick<LinkRow, 'uuid' | 'workspace_uuid'>,
  tags: readonly string[],
): LinkTagRow[] => tags.map((tag) => ({ workspace_uuid, tag, link_uuid: uuid }))

const NEEDS_JSON = /[,;|"[\]]|^\s|\s$|^$/

/** Tags as a cell of a CSV file: separated by commas, or as a JSON list if a tag contains a separator. */
export function tagsCell(tags: readonly string[]): string {
  return tags.some((tag) => NEEDS_JSON.test(tag)) ? JSON.stringify(tags) : tags.join(',')
}

/** Parses such a cell. Other services separate tags by semicolons or bars. */
export function readTagsCell(cell: string): unknown {
  if (cell.startsWith('[')) return readJsonCell(cell)
  return cell
    .split(/[,;|]/)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
}

/** Parses a CSV cell with JSON; other text stays text, so that the schema reports the error. */
export function readJsonCell(cell: string): unknown {
  try {
    return JSON.parse(cell) as unknown
  } catch {
    return cell
  }
}
