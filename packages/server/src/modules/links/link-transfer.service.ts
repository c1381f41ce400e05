import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { UploadedFile } from '@waymark/contract'
import { toCsv } from '@waymark/contract/csv'
import type { Query } from '@waymark/contract/schemas'
import type { Database } from '../../storage/db/database.ts'
import { AppError } from '../../runtime/errors.ts'
import { listWindow } from '../owned/listing.ts'
import { linkFields } from './link-fields.ts'
import { type LinkFile, LinkFileFault, readLinkFile, sentencesOf } from './link-file.ts'
import type { Link, LinkService } from './links.service.ts'
import type { LinkRow, LinkStore } from './links.store.ts'

type Filter = Query<'exportLinks'>

interface TransferDependencies {
  readonly db: Database
  readonly store: LinkStore
  readonly links: LinkService
}

/** What an import is going to make, with the slow part of it done. */
export interface PreparedImport extends LinkFile {
  readonly hashes: readonly (string | null | undefined)[]
}

/** Read at once: memory stays the same however many there are, and visitors wait for no more than these. */
const ROWS_AT_ONCE = 200

/** Links as a file: out of this service, and into it. */
export class LinkTransfer {
  readonly #deps: TransferDependencies

  constructor(deps: TransferDependencies) {
    this.#deps = deps
  }

  /** Everything that can be said about a file without looking into the database; before any transaction. */
  async prepare(userUuid: string, file: UploadedFile): Promise<PreparedImport> {
    const { links } = this.#deps
    const bytes = file.path === '' ? Buffer.alloc(0) : await readFile(file.path)
    const read = naming(() => readLinkFile(bytes))
    return { ...read, hashes: await this.#naming(read, () => links.hashPasswordsOf(userUuid, read.links)) }
  }

  /** All or none. */
  async import(userUuid: string, { links, hashes, placeOf }: PreparedImport): Promise<Link[]> {
    return this.#naming({ placeOf }, () => this.#deps.links.createMany(userUuid, links, hashes))
  }

  /** Says what is wrong with a link by its place in the file. */
  async #naming<T>({ placeOf }: Pick<LinkFile, 'placeOf'>, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof AppError) || error.errors === undefined) throw error
      throw new AppError(error.code, { errors: { file: sentencesOf(placeOf, error.errors) } })
    }
  }

  /** The first rows are read before anything is answered, so that a database that is away is a refusal. */
  async export(userUuid: string, filter: Filter): Promise<Readable> {
    const first = await this.#rows(userUuid, filter, undefined)
    return Readable.from(this.#pieces(userUuid, filter, first), { objectMode: false })
  }

  async *#pieces(userUuid: string, filter: Filter, first: readonly LinkRow[]): AsyncGenerator<Buffer> {
    yield Buffer.from(toCsv([linkFields.exportedNames]))
    for (let rows = first; rows.length > 0;) {
      yield Buffer.from(toCsv(rows.map((row) => linkFields.cells(row, this.#deps.links.context))))
      const last = rows.at(-1)
      if (last === undefined || rows.length < ROWS_AT_ONCE) return
      // The embedded database answers within this turn: visitors come in between.
      await nextTurn()
      rows = await this.#rows(userUuid, filter, last)
    }
  }

  #rows(userUuid: string, { search, tag }: Filter, last: LinkRow | undefined): Promise<LinkRow[]> {
    const { db, store } = this.#deps
    const after = last && { value: 0, uuid: last.uuid }
    const window = { ...listWindow({ search }), take: ROWS_AT_ONCE, after, tag, state: undefined }
    return db.read(() => store.list(userUuid, window))
  }
}

/** Says what is wrong with a file as what is wrong with the field that carried it. */
const naming = <T>(read: () => T): T => {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof LinkFileFault)) throw error
    throw new AppError('validation', { errors: { file: [...error.sentences] } })
  }
}
