import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { ImportFileFault } from '@waymark/contract/link-files'
import type { ReadingReply, ReadingTask } from './import-reader.ts'
import { LinkLines } from './link-lines.ts'
import { readImport } from './read-import.ts'

const { path, linesPath, options, key } = workerData as ReadingTask
const WRITE_BYTES = 1 << 18

const reply = (): ReadingReply => {
  const file = openSync(linesPath, 'wx', 0o600)
  const lines = new LinkLines(key)
  const write = (): void => void writeSync(file, lines.take())
  try {
    const summary = readImport(readFileSync(path), options, (link) => {
      lines.push(link)
      if (lines.length > WRITE_BYTES) write()
    })
    write()
    return { summary }
  } catch (error) {
    if (error instanceof ImportFileFault) return { fault: error.message, field: error.field }
    throw error
  } finally {
    closeSync(file)
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage(reply())
