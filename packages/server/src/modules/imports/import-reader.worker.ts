import '../../runtime/request-worker.ts'
import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import type { ReadingReply, ReadingTask } from './import-reader.ts'
import { readLinks } from './read-import.ts'
import { ImportFileFault } from '@waymark/contract/link-files'

const { path, source, key } = workerData as ReadingTask

const reply = (): ReadingReply => {
  try {
    return { file: readLinks(readFileSync(path), source, key) }
  } catch (error) {
    if (error instanceof ImportFileFault) return { fault: error.message }
    throw error
  }
}

const message = reply()
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage(message, 'file' in message ? [message.file.lines.buffer] : [])
