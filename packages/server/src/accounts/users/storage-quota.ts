import { sql } from 'kysely'
import { AppError } from '../../net/errors.ts'
import type { Database } from '../../storage/db/database.ts'
import type { WorkspaceStore } from './workspaces.store.ts'
import type { Plans } from './plans.ts'

/** Index entries, numbers and times of a row. */
const ROW_BYTES = 300
/** A workspace is measured again after it has sent this part of its quota. */
const PARTS = 16
/** A full workspace is measured again after this time, because deletions may have made room. */
const MEASURED_FOR_MS = 60_000
/** Number of workspaces whose writes are counted; the least recently writing one is forgotten first. */
const MAX_WORKSPACES = 10_000

interface Use {
  sentBytes: number
  full: { readonly atMs: number } | undefined
}

/** Rejects writes of a workspace that stores more bytes than its plan allows. */
export interface StorageQuota {
  /** Called with the size of the body before each write that stores data. */
  charge(workspaceUuid: string, bytes: number): Promise<void>
}

/**
 * Measuring reads every row of a workspace, so each process counts the bytes that a workspace sends and measures only after
 * every sixteenth of the quota. A workspace can exceed its quota by that much per process.
 */
export function createStorageQuota(
  db: Database,
  workspaces: WorkspaceStore,
  plans: Plans,
  now: () => number,
): StorageQuota {
  const uses = new Map<string, Use>()

  const useOf = (workspaceUuid: string): Use => {
    const use = uses.get(workspaceUuid) ?? { sentBytes: 0, full: undefined }
    uses.delete(workspaceUuid)
    uses.set(workspaceUuid, use)
    const [oldest = ''] = uses.size > MAX_WORKSPACES ? uses.keys() : []
    uses.delete(oldest)
    return use
  }

  return {
    async charge(workspaceUuid, bytes) {
      const use = useOf(workspaceUuid)
      use.sentBytes += bytes
      if (use.full === undefined && use.sentBytes < plans.minStorageBytes / PARTS) return
      const workspace = await workspaces.find(workspaceUuid)
      const { storageMb } = plans.termsOf(workspace?.plan ?? '')
      if (storageMb === null) return
      const limit = storageMb * 2 ** 20
      const isKnown = use.full !== undefined && now() - use.full.atMs < MEASURED_FOR_MS
      if (!isKnown) {
        if (use.full === undefined && use.sentBytes < limit / PARTS) return
        use.sentBytes = 0
        use.full = (await storedBytes(db, workspaceUuid)) > limit ? { atMs: now() } : undefined
      }
      if (use.full !== undefined)
        throw new AppError('quota_reached', {
          message: `Your plan allows ${storageMb} MB of stored data; remove some permanently or choose a larger plan`,
        })
    },
  }
}

/** The bytes of all rows and files of a workspace, without indexes. */
export function storedBytes(db: Database, workspaceUuid: string): Promise<number> {
  return db.read(async () => {
    const tables = await db.sql.introspection.getTables()
    const owned = tables.filter(({ columns }) => columns.some(({ name }) => name === 'workspace_uuid'))
    let bytes = 0
    for (const { name, columns } of owned) {
      const texts = columns
        .filter(({ dataType }) => /text|char|blob|bytea/i.test(dataType))
        .map((column) => sql`coalesce(length(${sql.ref(column.name)}), 0)`)
      const { rows } = await sql<{ bytes: number | string | null }>`
        select sum(${ROW_BYTES} + ${sql.join(texts, sql` + `)}) as bytes
        from ${sql.table(name)} where workspace_uuid = ${workspaceUuid}`.execute(db.sql)
      bytes += Number(rows[0]?.bytes ?? 0)
    }
    const files = await db.sql
      .selectFrom('blobs')
      .innerJoin('blob_refs', 'blob_refs.hash', 'blobs.hash')
      .select((eb) => eb.fn.sum<number | string>('blobs.bytes').as('bytes'))
      .where('blob_refs.workspace_uuid', '=', workspaceUuid)
      .executeTakeFirst()
    return bytes + Number(files?.bytes ?? 0)
  })
}
