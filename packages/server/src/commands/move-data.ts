import { ProgressBar, UsageError } from '@waymark/cli/terminal'
import { stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { openBlobs } from '../storage/blobs/open.ts'
import { openDatabase } from '../storage/db/open.ts'
import { type Moved, moveFiles, moveTables } from '../storage/moves/move.ts'
import { PostgresTarget } from '../storage/moves/postgres-target.ts'
import { SqliteSource } from '../storage/moves/sqlite-source.ts'
import { isUnavailable } from '../storage/db/unavailable.ts'
import { OperatorError } from '../net/errors.ts'
import { startErrorLine } from '../compose/start-error.ts'
import { s3UrlOf } from '../config-values.ts'
import type { CommandOutput } from './command.ts'
import { dataFolder } from '../storage/data-folder.ts'

interface MoveOptions {
  readonly from: string
  readonly to: string
  readonly filesTo?: string
}

/** Moves the data folder of the embedded stack to PostgreSQL, and its files to a bucket. */
export async function moveData({ from, to, filesTo }: MoveOptions): Promise<CommandOutput> {
  const file = await databaseFile(from)
  const dataDir = dirname(file)
  if (!/^postgres(ql)?:\/\//.test(to)) throw new UsageError('--to must begin with postgres://')
  checkBucket(filesTo)
  // Fails here, before any change, if another process has the source open. Then both get the schema of this version.
  new SqliteSource(file).close()
  await (await openDatabase({ url: undefined, dataDir })).close()
  await createSchema(to, dataDir)
  const bar = new ProgressBar()
  const source = new SqliteSource(file)
  const target = new PostgresTarget(to)
  try {
    const files = filesTo === undefined ? 0 : await copyFiles(source, dataDir, filesTo, bar)
    const moved = await moveTables(source, target, file, (...at) => bar.update(...at))
    await target.finish()
    bar.end()
    return outputOf({ ...moved, files }, dataDir, filesTo)
  } catch (error) {
    bar.end()
    if (!isUnavailable(error)) throw error
    const advice = 'the connection was lost; run the same command again to continue'
    throw new OperatorError(advice, { cause: error })
  } finally {
    source.close()
    await target.close().catch(() => undefined)
  }
}

function checkBucket(filesTo: string | undefined): void {
  try {
    s3UrlOf(filesTo, '--files-to')
  } catch (cause) {
    throw new UsageError((cause as Error).message, { cause })
  }
}

/** The schema of this version, in the target. */
async function createSchema(to: string, dataDir: string): Promise<void> {
  try {
    await (await openDatabase({ url: to, dataDir })).close()
  } catch (cause) {
    const line = startErrorLine(cause)
    if (line === undefined) throw cause
    throw new OperatorError(line.replaceAll('DATABASE_URL', '--to'), { cause })
  }
}

async function copyFiles(
  source: SqliteSource,
  dataDir: string,
  url: string,
  bar: ProgressBar,
): Promise<number> {
  const here = await openBlobs({ url: undefined, dataDir })
  const there = await openBlobs({ url, dataDir })
  const total = source.tables().find(({ name }) => name === dataFolder.blobs)?.rows ?? 0
  const files = await moveFiles(source, here, there, total, (...at) => bar.update(...at))
  await Promise.all([here.close(), there.close()])
  return files
}

function outputOf(moved: Moved, dataDir: string, filesTo: string | undefined): CommandOutput {
  const lines = [
    `Moved ${moved.rows} rows of ${moved.tables} tables and ${moved.files} files, and read all of them back.`,
    `Start the nodes with DATABASE_URL and the secret of this data: SECRET_KEY_FILE=${join(dataDir, dataFolder.secret)}`,
    `Start the first node with DATA_DIR=${dataDir} until its spool folder is empty.`,
  ]
  if (filesTo === undefined)
    lines.push(
      `The files stay in ${join(dataDir, dataFolder.blobs)}, where that node finds them; others need S3_URL.`,
    )
  return { text: lines.join('\n'), json: moved }
}

async function databaseFile(from: string): Promise<string> {
  const path = /^sqlite:(?:\/\/)?(.+)$/.exec(from)?.[1]
  if (path === undefined) throw new UsageError('--from must be sqlite: and a path')
  const found = await stat(path).catch(() => undefined)
  const file = resolve(found?.isDirectory() === true ? join(path, dataFolder.database) : path)
  if (basename(file) !== dataFolder.database || (await stat(file).catch(() => undefined)) === undefined)
    throw new OperatorError(`there is no ${dataFolder.database} at ${path}`)
  return file
}
