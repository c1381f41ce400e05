import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { Database } from '../../storage/db/database.ts'
import { openDatabase } from '../../storage/db/open.ts'
import type { Place, TestDatabases } from '../../storage/db/testing.ts'
import type { Click } from '../spool/record.ts'
import { Spool } from '../spool/spool.ts'
import { storedClicksOf, openTestStore, readLink } from '../testing.ts'
import type { ClickStore } from './click-store.ts'
import { Ingest } from './ingest.ts'

interface ReaderFields {
  readonly owner?: string
  readonly batchClicks?: number
  readonly store?: ClickStore
  readonly countryOf?: (address: string) => string
}

/** A database, and a new spool folder for each test of the enclosing describe block. */
export interface TestSpool {
  readonly place: Place
  readonly db: Database
  readonly store: ClickStore
  readonly folder: string
  /** What readers have reported during this test. */
  readonly oddities: readonly string[]
  reader(fields?: ReaderFields): Ingest
  /** Spools the clicks like a process that has since died. */
  spoolAndDie(clicks: readonly Click[], perTurn?: number): Promise<void>
  /** The number of single clicks stored for a link. */
  rawClicks(linkUuid: string): Promise<number>
}

export function testSpool(databases: TestDatabases): TestSpool {
  const root = mkdtempSync(join(tmpdir(), 'waymark-ingest-'))
  let place: Place
  let db: Database
  let store: ClickStore
  let folder = ''
  let oddities: string[] = []

  beforeAll(async () => {
    place = await databases.place()
    db = await openDatabase(place)
    store = openTestStore(place)
  })
  beforeEach(() => {
    folder = join(root, randomUUID())
    oddities = []
  })
  afterAll(async () => {
    await store.close()
    await db.close()
    rmSync(root, { recursive: true, force: true })
  })

  return {
    get place() {
      return place
    },
    get db() {
      return db
    },
    get store() {
      return store
    },
    get folder() {
      return folder
    },
    get oddities() {
      return oddities
    },
    reader: (fields = {}) =>
      new Ingest({
        folder,
        owner: randomUUID(),
        store,
        countryOf: (address) => (address === '81.2.69.142' ? 'GB' : ''),
        now: Date.now,
        onOddity: (text) => oddities.push(text),
        ...fields,
      }),
    async spoolAndDie(clicks, perTurn = 7) {
      const spool = new Spool({ folder, owner: randomUUID() })
      for (let i = 0; i < clicks.length; i += perTurn) {
        for (const click of clicks.slice(i, i + perTurn)) spool.append(click)
        await new Promise<void>((resolve) => spool.afterWrite(resolve))
      }
      spool.close()
      spool.release()
    },
    async rawClicks(linkUuid) {
      const { workspace_uuid } = await readLink(db, linkUuid)
      return (await storedClicksOf(db, workspace_uuid, linkUuid)).length
    },
  }
}
