/*
 * Loaded into a server with NODE_OPTIONS: faults of the API process, each while a file in the folder FAULTS exists.
 * `before-publish` kills it when it is about to tell the others of a change, which is committed by then. `leak` uses memory
 * until there is none.
 */
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const folder = process.env['FAULTS'] ?? ''
const isOfApi = process.argv.some((word) => word.includes('"kind":"api"'))
const send = /** @type {((...all: unknown[]) => boolean) | undefined} */ (process.send?.bind(process))

/** Whether a fault is due, once. */
const isDue = (/** @type {string} */ name) => {
  const file = join(folder, name)
  if (!existsSync(file)) return false
  rmSync(file)
  return true
}

if (isOfApi && send !== undefined) {
  process.send = (/** @type {any} */ message, /** @type {unknown[]} */ ...more) => {
    const note = message?.waymark
    const isChange =
      note?.kind === 'bus' && note.messages.some((/** @type {string[]} */ [topic]) => topic === 'target')
    if (isChange && isDue('before-publish')) process.kill(process.pid, 'SIGKILL')
    return send(message, ...more)
  }
  const held = /** @type {unknown[]} */ ([])
  setInterval(() => {
    if (isDue('leak')) for (;;) held.push(Array.from({ length: 100_000 }, (_, n) => ({ n })))
  }, 100).unref()
}
