import { open, readFile } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import type { UploadedFile } from '@waymark/contract'
import { checkStart, ImportFileFault, START_BYTES } from '@waymark/contract/link-files'
import { admission } from '../../net/admission/lanes.ts'
import { AppError } from '../../net/errors.ts'
import type { ByteRange } from '../../storage/blobs/blobs.ts'
import { LinkLines, StoredLines } from './link-lines.ts'
import { type ImportSummary, type ReadOptions, readSmallImport } from './read-import.ts'

/** The input of a reading thread. */
export interface ReadingTask {
  readonly path: string
  /** The file for the links, one per line. */
  readonly linesPath: string
  readonly options: ReadOptions
  readonly key: string
}

/** The result of a reading thread. */
export type ReadingReply =
  | { readonly summary: ImportSummary }
  | { readonly fault: string; readonly field: ImportFileFault['field'] }

/** The result of reading a file. */
export interface ReadFile {
  readonly summary: ImportSummary
  /** The links that can be imported. */
  readonly lines: StoredLines
  /** The same links as the bytes of a file. */
  readonly bytes: () => Promise<Uint8Array>
}

/**
 * Files up to this size are read in the main thread, because starting a thread would take longer. The slowest input, a file
 * of empty objects, takes 30 ms at this size.
 */
const INLINE_BYTES = 64 * 1024
/**
 * A table of 32 MiB is a text of 64 MiB if characters need two bytes. A file that needs more memory is rejected, and the
 * process continues.
 */
const THREAD_LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 }
const LONGEST_MS = 60_000

/** Reads an uploaded file; throws a 422 for files that are not a list of links. */
export async function readUpload(
  { path, size }: UploadedFile,
  options: ReadOptions,
  key: string,
): Promise<ReadFile> {
  try {
    if (size > INLINE_BYTES) {
      checkStart(await bytesOf(path, { from: 0, length: START_BYTES }), options)
      return await admission.run('importReading', () =>
        readInThread({ path, linesPath: `${path}.lines`, options, key }),
      )
    }
    const lines = new LinkLines(key)
    const given = path === '' ? new Uint8Array() : await readFile(path)
    const summary = await readSmallImport(given, options, (link) => lines.push(link))
    const bytes = lines.take()
    const read = ({ from, length }: ByteRange): Promise<Uint8Array> =>
      Promise.resolve(bytes.subarray(from, from + length))
    return { summary, lines: new StoredLines(read, key), bytes: () => Promise.resolve(bytes) }
  } catch (error) {
    if (!(error instanceof ImportFileFault)) throw error
    throw new AppError('validation', { errors: { [error.field]: [error.message] } })
  }
}

/** The links go through a file, so that they are never all in memory. It is deleted with the upload. */
async function readInThread(task: ReadingTask): Promise<ReadFile> {
  const { linesPath, key } = task
  const summary = await summaryFromThread(task)
  const read = (range: ByteRange): Promise<Uint8Array> => bytesOf(linesPath, range)
  return { summary, lines: new StoredLines(read, key), bytes: () => readFile(linesPath) }
}

async function bytesOf(path: string, { from, length }: ByteRange): Promise<Uint8Array> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, from)
  return buffer.subarray(0, bytesRead)
}

function summaryFromThread(task: ReadingTask): Promise<ImportSummary> {
  const { promise, resolve, reject } = Promise.withResolvers<ImportSummary>()
  const worker = new Worker(new URL('./import-reader.worker.ts', import.meta.url), {
    workerData: task,
    name: 'imports',
    resourceLimits: THREAD_LIMITS,
  })
  const timer = setTimeout(() => void worker.terminate(), LONGEST_MS)
  const tooMuch = new ImportFileFault('Takes too much memory or time to read: split it into smaller files')
  worker.once('message', (reply: ReadingReply) => {
    if ('fault' in reply) reject(new ImportFileFault(reply.fault, reply.field))
    else resolve(reply.summary)
  })
  worker.once('error', (error) => {
    reject((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuch : error)
  })
  // Does nothing after a reply.
  worker.once('exit', () => {
    clearTimeout(timer)
    reject(tooMuch)
  })
  return promise
}
