import { writeSync } from 'node:fs'
import { pino } from 'pino'
import { readConfig } from '../config.ts'
import { DiskRoom } from '../storage/disk-room.ts'
import { openApp, type Stage } from './app.ts'

/*
 * Opens the service once for each stage in the arguments, and fails after it. Then opens it completely, which a lock that
 * was not released would prevent, and closes it while one part fails to close. After that it only waits: the process ends by
 * itself if, and only if, everything that was opened is closed.
 */
const open = (opened?: (stage: Stage) => void) =>
  openApp(readConfig(process.env), pino({ level: 'silent' }), opened)
const print = (line: object): number => writeSync(1, `${JSON.stringify(line)}\n`)

for (const failing of process.argv.slice(2)) {
  const seen: Stage[] = []
  try {
    await open((stage) => {
      seen.push(stage)
      if (stage === failing) throw new Error(`failed after ${stage}`)
    })
  } catch (error) {
    print({ seen, error: (error as Error).message })
  }
}

const app = await open()
const close = Reflect.get(DiskRoom.prototype, 'close')
DiskRoom.prototype.close = async function () {
  await close.call(this)
  throw new Error('failed to close')
}
await app.close().catch((error: Error) => print({ error: error.message }))
