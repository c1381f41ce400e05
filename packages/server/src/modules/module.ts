import type { Logger } from 'pino'
import type { Routes, Site } from '../api/routes.ts'
import type { OpenStatistics } from '../clicks/statistics/open.ts'
import type { Config } from '../config.ts'
import type { CodeImages } from '../imaging/codes/code-images.ts'
import type { Bus } from '../net/bus/bus.ts'
import type { Changes } from '../net/bus/changes.ts'
import type { Job } from '../work/jobs/jobs.ts'
import type { Limits } from '../net/limits/limits.ts'
import type { Mailer } from '../net/mail.ts'
import type { Metrics } from '../work/metrics.ts'
import type { DiskRoom } from '../storage/disk-room.ts'
import type { Secrets } from '../storage/secrets.ts'
import type { BlobReferences } from '../storage/blobs/blob-references.ts'
import type { Database } from '../storage/db/database.ts'
import type { Tombstones } from '../storage/tombstones.ts'

/** Shared by all modules. Opened once by compose/storage.ts. */
export interface Core {
  readonly config: Config
  readonly log: Logger
  readonly db: Database
  readonly statistics: OpenStatistics
  readonly disk: DiskRoom
  readonly blobs: BlobReferences
  readonly bus: Bus
  readonly changes: Changes
  readonly tombstones: Tombstones
  readonly secrets: Secrets
  readonly limits: Limits
  readonly mailer: Mailer
  readonly codeImages: CodeImages
  /** The public URL of a stored file. */
  readonly mediaUrl: (hash: string) => string
  /** The public URL of a stored picture for apps that show cards of links. */
  readonly sharedMediaUrl: (hash: string) => string
  readonly reportError: (error: unknown) => void
  readonly now: () => number
  readonly newId: () => string
  /** Opened parts register their close here; everything closes in reverse order. */
  readonly closing: AsyncDisposableStack
}

/** Stores an audit log entry about an action of the server itself, in the transaction of the change. */
export type RecordOwn = (workspaceUuid: string, operation: string, uuids: readonly string[]) => Promise<void>

/** Erases a batch of a deleted user's rows; false when none is left. */
export type Erase = (workspaceUuid: string) => Promise<boolean>

/** The parts that a module adds to the service. compose/modules.ts lists all modules. */
export interface Module {
  /** The operations it handles. */
  readonly routes: Routes
  /** Routes outside of `/v1`. */
  readonly sites?: readonly Site[]
  /** Periodic work, in one process of all nodes. */
  readonly jobs?: readonly Job[]
  readonly erase?: Erase
  readonly measure?: (metrics: Metrics) => void
  /** Starts background work in every serving process, and registers its close. */
  readonly start?: (closing: AsyncDisposableStack) => void
}
