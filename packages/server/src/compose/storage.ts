import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { openStatistics } from '../clicks/statistics/open.ts'
import { openCodeImages } from '../imaging/codes/code-images.ts'
import type { Core } from '../modules/module.ts'
import { createChanges } from '../net/bus/changes.ts'
import { openBus } from '../net/bus/open.ts'
import { openLimits } from '../net/limits/open.ts'
import { createIds } from '../storage/db/ids.ts'
import { createMailer } from '../net/mail.ts'
import { createSecrets, storedSecretKey } from '../storage/secrets.ts'
import { BlobReferences } from '../storage/blobs/blob-references.ts'
import { openBlobs } from '../storage/blobs/open.ts'
import { DiskRoom } from '../storage/disk-room.ts'
import { openDatabase } from '../storage/db/open.ts'
import { storedKey, TOMBSTONE_KEY } from '../storage/stored-key.ts'
import { createTombstones } from '../storage/tombstones.ts'
import { mediaPath, sharedMediaPath } from '../visitors/media/media.site.ts'
import { prepareDataFolder } from './data-folder.ts'

/** Opens storage and everything that modules share. Each part registers its close as soon as it is open. */
export async function openStorage(config: Config, log: Logger, closing: AsyncDisposableStack): Promise<Core> {
  const reportError = (error: unknown): void => log.error({ err: error }, 'background work failed')
  const now = Date.now
  await prepareDataFolder(config.dataDir)
  const secretKey = config.secretKey ?? (await storedSecretKey(config.dataDir))
  const secrets = createSecrets(secretKey, config.secretKeyPrevious)
  const blobStore = await openBlobs({ url: config.s3Url, dataDir: config.dataDir })
  closing.defer(() => blobStore.close())
  const db = await openDatabase({
    url: config.databaseUrl,
    readUrl: config.databaseReadUrl,
    dataDir: config.dataDir,
    poolSize: config.databasePoolSize,
    connectTimeoutMs: config.databaseConnectTimeoutMs,
    statementTimeoutMs: config.databaseStatementTimeoutMs,
    report: reportError,
  })
  closing.defer(() => db.close())
  const disk = new DiskRoom(config.dataDir, { sqlite: db.sqliteReader, report: reportError })
  closing.defer(() => disk.close())
  await disk.refresh()
  const { clicksUrl: url, clickRetentionDays: retentionDays } = config
  const inClickHouse = url === undefined ? undefined : { url, retentionDays, log }
  const statistics = openStatistics(db, config.dataDir, inClickHouse)
  closing.defer(() => statistics.close())
  const firstSecret = config.secretKeyPrevious ?? secretKey
  const tombstoneKey = await storedKey(db, secrets, TOMBSTONE_KEY, firstSecret)
  const blobs = new BlobReferences(db, blobStore, { report: reportError })
  closing.defer(() => blobs.close())
  const bus = openBus({ redisUrl: config.redisUrl, postgres: db.postgres, report: reportError })
  closing.defer(() => bus.close())
  const limits = openLimits({ redisUrl: config.redisUrl, report: reportError })
  closing.defer(() => limits.close())
  const sender = `Waymark <no-reply@${new URL(config.baseUrl).hostname}>`
  const mailer = createMailer(config.smtpUrl, sender)
  closing.defer(() => mailer.close())
  const codeImages = openCodeImages()
  closing.defer(() => codeImages.close())
  return {
    config,
    log,
    db,
    statistics,
    disk,
    blobs,
    bus,
    changes: createChanges(bus),
    tombstones: createTombstones(db, tombstoneKey, now),
    secrets,
    limits,
    mailer,
    codeImages,
    mediaUrl: (hash) => config.baseUrl + mediaPath(hash),
    sharedMediaUrl: (hash) => config.baseUrl + sharedMediaPath(hash),
    reportError,
    now,
    newId: createIds(),
    closing,
  }
}
