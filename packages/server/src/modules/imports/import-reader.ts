import { readFile } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import type { UploadedFile } from '@waymark/contract'
import { admission } from '../../runtime/admission/lanes.ts'
import { AppError } from '../../runtime/errors.ts'
import { type ReadFile, readSmallFile } from './read-import.ts'
import { ImportFileFault } from '@waymark/contract/link-files'

/** What a reading thread is given. */
export interface ReadingTask {
  readonly path: string
  readonly source: string | undefined
  readonly key: string
}

/** What it returns. */
export type ReadingReply = { readonly file: ReadFile } | { readonly fault: string }

/**
 * Files up to this size are read between requests: starting a thread would take longer. What takes longest, such as a
 * file of empty objects, takes 30 ms at this size.
 */
const INLINE_BYTES = 64 * 1024
/** Enough for 32 MiB of JSON; a file that needs more is rejected, and the process goes on. */
const THREAD_MEGABYTES = 768
const LONGEST_MS = 60_000

/** Reads an uploaded file; throws a 422 that names the file for what is no list of links. */
export async function readUpload(
  { path, size }: UploadedFile,
  source: string | undefined,
  key: string,
): Promise<ReadFile> {
  try {
    if (path === '') return await readSmallFile(new Uint8Array(), source, key)
    if (size <= INLINE_BYTES) return await readSmallFile(await readFile(path), source, key)
    return await admission.run('importReading', () => readInThread({ path, source, key }))
  } catch (error) {
    if (!(error instanceof ImportFileFault)) throw error
    throw new AppError('validation', { errors: { file: [error.message] } })
  }
}

function readInThread(task: ReadingTask): Promise<ReadFile> {
  const { promise, resolve, reject } = Promise.withResolvers<ReadFile>()
  const worker = new Worker(new URL('./import-reader.worker.ts', import.meta.url), {
    workerData: task,
    name: 'imports',
    resourceLimits: { maxOldGenerationSizeMb: THREAD_MEGABYTES },
  })
  const timer = setTimeout(() => void worker.terminate(), LONGEST_MS)
  const tooMuch = new ImportFileFault('Takes too much memory or time to read: split it into smaller files')
  worker.once('message', (reply: ReadingReply) => {
    if ('fault' in reply) reject(new ImportFileFault(reply.fault))
    else resolve(reply.file)
  })
  worker.once('error', (error) => {
    reject((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuch : error)
  })
  // Does nothing once a reply has come.
  worker.once('exit', () => {
    clearTimeout(timer)
    reject(tooMuch)
  })
  return promise
}
