import type { Caller } from '../net/caller.ts'
import { pino } from 'pino'
import { afterAll, beforeAll } from 'vitest'
import { openServices } from '../compose/services.ts'
import { readConfig } from '../config.ts'
import { insertTestUser, type TestDatabases } from '../storage/db/testing.ts'

type Opened = Awaited<ReturnType<typeof openServices>>

export interface TestServices extends Opened {
  readonly dataDir: string
  readonly newUser: () => Promise<string>
  /** Creates a user whose events are recorded, and a function that returns their types so far. */
  readonly newSubscriber: () => Promise<{ user: string; events: () => Promise<string[]> }>
  /** How many rows of a table belong to the user. */
  readonly countRows: (table: OwnedTable, user: string) => Promise<number>
  /** The short codes for which processes were notified since the last call. */
  readonly changedTargets: () => string[]
}

type OwnedTable = 'links' | 'qrcodes' | 'barcodes' | 'utm_links' | 'api_keys' | 'blob_refs'

/** The services of the whole product without a server, opened once for the tests of a describe block. */
export function testServices(
  databases: TestDatabases,
  settings: Record<string, string> = {},
): () => TestServices {
  let opened: TestServices | undefined
  beforeAll(async () => {
    opened = await open(databases, settings)
  })
  afterAll(() => opened?.close())
  return () => {
    if (opened === undefined) throw new Error('The services are open during the tests alone')
    return opened
  }
}

async function open(databases: TestDatabases, settings: Record<string, string>): Promise<TestServices> {
  const { url, dataDir } = await databases.place()
  const config = readConfig({
    DATA_DIR: dataDir,
    BASE_URL: 'https://way.example',
    ...(url !== undefined && { DATABASE_URL: url, SECRET_KEY: 'a secret for tests that nobody knows' }),
    ...settings,
  })
  const services = await openServices(config, pino({ level: 'silent' }))
  const { db, changes } = services.core
  let targets: string[] = []
  changes.onTarget((_domain, shortCode) => targets.push(shortCode))
  return {
    ...services,
    dataDir,
    newUser: () => insertTestUser(db),
    async newSubscriber() {
      const user = await insertTestUser(db)
      await services.modules.webhooks.service.add(user, { url: 'https://receiver.example/' })
      const recorded = db.sql
        .selectFrom('webhook_deliveries')
        .select('type')
        .where('workspace_uuid', '=', user)
      return { user, events: async () => (await recorded.orderBy('uuid').execute()).map(({ type }) => type) }
    },
    async countRows(table, user) {
      const row = await db.sql
        .selectFrom(table)
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('workspace_uuid', '=', user)
        .executeTakeFirstOrThrow()
      return row.count
    },
    changedTargets() {
      const seen = targets
      targets = []
      return seen
    },
  }
}

/** A signed-in user in their first workspace. */
export const signedIn = (userUuid: string): Caller => ({
  kind: 'session',
  uuid: '',
  userUuid,
  workspaceUuid: userUuid,
})
