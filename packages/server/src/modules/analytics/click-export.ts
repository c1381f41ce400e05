import { toCsv } from '@waymark/contract/csv'
import type { ExportedClick } from '../../clicks/statistics/statistics.ts'
import type { Database } from '../../storage/db/database.ts'
import { isoTime } from '../../work/times.ts'

type ClickFormat = 'csv' | 'ndjson'

/** Clicks per piece, which are in memory at once. */
const CLICKS_AT_ONCE = 1_000
/** Number of cached names of links and pages. */
const MAX_NAMES = 10_000

/** A short code or slug, and its domain; '' is the default domain. */
export interface Name {
  readonly name: string
  readonly domain: string | undefined
}

/** The resource was erased. */
const NAMELESS: Name = { name: '', domain: '' }

interface ClickExport {
  readonly db: Database
  readonly workspaceUuid: string
  /** The host name of links without their own domain. */
  readonly ownHost: string
  readonly format: ClickFormat
}

interface NamedClick extends ExportedClick {
  readonly code: string
  readonly host: string
}

/** The columns of a file, in order. */
const COLUMNS: Readonly<Record<string, (click: NamedClick) => string | boolean>> = {
  at: ({ atMs }) => isoTime(atMs),
  code: ({ code }) => code,
  domain: ({ host }) => host,
  link_uuid: ({ resourceUuid }) => resourceUuid,
  kind: ({ kind }) => kind,
  country: ({ country }) => country,
  language: ({ language }) => language,
  device: ({ device }) => device,
  os: ({ system }) => system,
  browser: ({ browser }) => browser,
  referrer: ({ referrer }) => referrer,
  utm_source: (click) => click.utm_source,
  utm_medium: (click) => click.utm_medium,
  utm_campaign: (click) => click.utm_campaign,
  variant: ({ variant }) => variant,
  rule: ({ rule }) => rule,
  bot: ({ bot }) => bot,
}

const entries = Object.entries(COLUMNS)

const writers: Readonly<Record<ClickFormat, (clicks: readonly NamedClick[]) => string>> = {
  csv: (clicks) => toCsv(clicks.map((click) => entries.map(([, valueOf]) => String(valueOf(click))))),
  ndjson: (clicks) =>
    clicks
      .map((click) => Object.fromEntries(entries.map(([name, valueOf]) => [name, valueOf(click)])))
      .map((row) => `${JSON.stringify(row)}\n`)
      .join(''),
}

/** Single clicks as pieces of a file. */
export async function* writeClicks(
  clicks: AsyncIterable<ExportedClick>,
  { db, workspaceUuid, ownHost, format }: ClickExport,
): AsyncGenerator<Buffer> {
  const names = new Map<string, Name>()
  const write = async (piece: readonly ExportedClick[]): Promise<Buffer> => {
    if (names.size > MAX_NAMES) names.clear()
    const unknown = new Set(piece.map((click) => click.resourceUuid).filter((uuid) => !names.has(uuid)))
    await addNames(db, workspaceUuid, [...unknown], names)
    const named = piece.map((click) => {
      const { name, domain } = names.get(click.resourceUuid) ?? NAMELESS
      return { ...click, code: name, host: domain ?? ownHost }
    })
    return Buffer.from(writers[format](named))
  }
  let piece: ExportedClick[] = []
  const header = format === 'csv' ? Buffer.from(toCsv([Object.keys(COLUMNS)])) : undefined
  let isFirst = true
  for await (const click of clicks) {
    // After the first click was read, so that an unavailable ClickHouse is an error response.
    if (isFirst && header !== undefined) yield header
    isFirst = false
    piece.push(click)
    if (piece.length < CLICKS_AT_ONCE) continue
    yield await write(piece)
    piece = []
  }
  if (isFirst && header !== undefined) yield header
  if (piece.length > 0) yield await write(piece)
}

/** Looks up the names of links and pages. */
export async function addNames(
  db: Database,
  workspaceUuid: string,
  uuids: readonly string[],
  names: Map<string, Name>,
): Promise<void> {
  if (uuids.length === 0) return
  const links = await db.read(() =>
    db.sql
      .selectFrom('links')
      .select(['uuid', 'domain', 'short_code as name'])
      .where('workspace_uuid', '=', workspaceUuid)
      .where('uuid', 'in', uuids)
      .execute(),
  )
  const pages = await db.read(() =>
    db.sql
      .selectFrom('pages')
      .select(['uuid', 'domain', 'slug as name'])
      .where('workspace_uuid', '=', workspaceUuid)
      .where('uuid', 'in', uuids)
      .execute(),
  )
  for (const { uuid, domain, name } of [...links, ...pages])
    names.set(uuid, { name, domain: domain === '' ? undefined : domain })
}
