import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, inject } from 'vitest'
import { openDatabase } from './open.ts'
import type { Database, DatabaseOptions } from './database.ts'
import type { UserRow, WorkspaceRow } from './tables.ts'

export interface Place {
  readonly url: string | undefined
  readonly dataDir: string
}

export interface TestDatabases {
  /** A new database; closed and deleted with the test file. */
  open(options?: Partial<DatabaseOptions>): Promise<Database>
  /** The location of a new database, for tests that open the same one several times. */
  place(): Promise<Place>
  /** An empty location, for tests of the first start. */
  emptyPlace(): Promise<Place>
}

/** Requests a real server from the test run; `path` as in scripts/services/vitest-setup.ts. */
export async function askServices(path: string): Promise<Record<string, string>> {
  const response = await fetch(`${inject('services')}/${path}`)
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return JSON.parse(text) as Record<string, string>
}

/** New databases of one engine for the enclosing describe block. */
function testDatabases(engine: Database['engine']): TestDatabases {
  const opened: Database[] = []
  const places: Place[] = []

  async function emptyPlace(command = 'create'): Promise<Place> {
    const url = engine === 'postgres' ? (await askServices(`postgres/${command}`))['url'] : undefined
    const made = { url, dataDir: await mkdtemp(join(tmpdir(), 'waymark-db-')) }
    places.push(made)
    return made
  }

  async function place(): Promise<Place> {
    if (engine === 'postgres') return emptyPlace('copy')
    const [made, { folder = '' }] = await Promise.all([emptyPlace(), askServices('sqlite')])
    await cp(folder, made.dataDir, { recursive: true })
    return made
  }

  afterAll(async () => {
    await Promise.all(opened.map((db) => db.close()))
    for (const { url, dataDir } of places) {
      if (url !== undefined) await askServices(`postgres/drop?url=${encodeURIComponent(url)}`)
      await rm(dataDir, { recursive: true, force: true })
    }
  })

  return {
    place,
    emptyPlace: () => emptyPlace(),
    async open(options = {}) {
      const found = await (options.migrations === undefined ? place() : emptyPlace())
      const db = await openDatabase({ ...found, ...options })
      opened.push(db)
      return db
    },
  }
}

/** Runs the same tests on both engines; `open` returns a new, migrated database each time. */
export function forEachDatabase(
  body: (engine: Database['engine'], open: TestDatabases['open'], databases: TestDatabases) => void,
): void {
  for (const engine of ['sqlite', 'postgres'] as const) {
    describe(engine, () => {
      const databases = testDatabases(engine)
      body(engine, (options) => databases.open(options), databases)
    })
  }
}

/** Inserts a user with a first workspace of the same uuid. */
export async function insertTestUser(
  db: Database,
  fields: Partial<UserRow> = {},
  workspace: Partial<WorkspaceRow> = {},
): Promise<string> {
  const uuid = fields.uuid ?? crypto.randomUUID()
  const row: UserRow = {
    uuid,
    email: `${uuid}@example.com`,
    password_hash: '',
    first_name: null,
    last_name: null,
    phone: null,
    address: null,
    image_hash: null,
    confirmed_at: 0,
    created_at: 0,
    updated_at: 0,
    removed_at: null,
    ...fields,
  }
  await db.write(async () => {
    await db.sql.insertInto('users').values(row).execute()
    await db.sql
      .insertInto('workspaces')
      .values({
        uuid,
        name: row.email,
        brand_kit: null,
        plan: 'free',
        plan_started_at: 0,
        require_second_factor: 0,
        created_at: 0,
        updated_at: 0,
        removed_at: row.removed_at,
        ...workspace,
      })
      .execute()
    const member = { workspace_uuid: uuid, user_uuid: uuid, role: 'owner' as const, created_at: 0 }
    await db.sql.insertInto('members').values(member).execute()
  })
  return uuid
}
