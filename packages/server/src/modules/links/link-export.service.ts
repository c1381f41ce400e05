import { Readable } from 'node:stream'
import { toCsv } from '@waymark/contract/csv'
import { writeEarlierCode } from '@waymark/contract/link-files'
import type { Query } from '@waymark/contract/schemas'
import { asDownload } from '../../net/admission/lanes.ts'
import type { Database } from '../../storage/db/database.ts'
import { listWindow } from '../owned/listing.ts'
import { linkFields } from './link-fields.ts'
import type { LinkService } from './links.service.ts'
import type { LinkRow, LinkStore, ShortCodeName } from './links.store.ts'
import { nextTurn } from '../../work/turns.ts'

type Filter = Query<'exportLinks'>

interface ExportDependencies {
  readonly db: Database
  readonly store: LinkStore
  readonly links: LinkService
}

/** Links per read: bounds memory usage, and how long visitors wait. */
const ROWS_AT_ONCE = 200

/** A column that is not a field of a link. */
const EARLIER_CODES = 'earlier_codes'

/** Earlier short codes of a link; with their domain if that is not the link's own. */
const earlierCodesCell = (
  row: LinkRow,
  names: readonly ShortCodeName[],
  domainName: (domain: string) => string,
): string =>
  names
    .filter(({ domain, short_code }) => domain !== row.domain || short_code !== row.short_code)
    .map(({ domain, short_code }) => {
      const host = domain === row.domain ? undefined : domainName(domain)
      return writeEarlierCode({ host, shortCode: short_code })
    })
    .sort()
    .join(' ')

/** Links as a CSV file. */
export class LinkExport {
  readonly #deps: ExportDependencies

  constructor(deps: ExportDependencies) {
    this.#deps = deps
  }

  /** Reads the first rows before the response begins, so that an unavailable database is an error response. */
  async export(workspaceUuid: string, filter: Filter): Promise<Readable> {
    const first = await this.#rows(workspaceUuid, filter, undefined)
    return asDownload(Readable.from(this.#pieces(workspaceUuid, filter, first), { objectMode: false }))
  }

  async *#pieces(workspaceUuid: string, filter: Filter, first: readonly LinkRow[]): AsyncGenerator<Buffer> {
    yield Buffer.from(toCsv([[...linkFields.exportedNames, EARLIER_CODES]]))
    for (let rows = first; rows.length > 0;) {
      yield Buffer.from(toCsv(await this.#cells(rows)))
      const last = rows.at(-1)
      if (last === undefined || rows.length < ROWS_AT_ONCE) return
      // SQLite returns within this turn of the event loop. Yield, so that visitors are served in between.
      await nextTurn()
      rows = await this.#rows(workspaceUuid, filter, last)
    }
  }

  async #cells(rows: readonly LinkRow[]): Promise<(string | number | null)[][]> {
    const { db, store, links } = this.#deps
    const names = await db.read(() => store.shortCodesOf(rows.map(({ uuid }) => uuid)))
    const namesOf = Map.groupBy(names, ({ link_uuid }) => link_uuid)
    return rows.map((row) => [
      ...linkFields.cells(row, links.context),
      earlierCodesCell(row, namesOf.get(row.uuid) ?? [], links.context.domainName),
    ])
  }

  #rows(workspaceUuid: string, filter: Filter, last: LinkRow | undefined): Promise<LinkRow[]> {
    const { db, store, links } = this.#deps
    const after = last && { value: 0, uuid: last.uuid }
    const { search, uuid } = filter
    const narrowed = { ...links.filterOf(filter), uuids: uuid?.split(',') }
    const window = { ...listWindow({ search }), ...narrowed, take: ROWS_AT_ONCE, after }
    return db.read(() => store.list(workspaceUuid, window))
  }
}
