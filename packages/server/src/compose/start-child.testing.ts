import { writeSync } from 'node:fs'
import { pino } from 'pino'
import { readConfig } from '../config.ts'
import { openApp, type Stage } from './app.ts'

/*
 * Opens the service, fails after the stage that the first argument names, and then only waits: the process ends by itself
 * if, and only if, nothing that was opened is left.
 */
const failing = process.argv[2] as Stage
const seen: Stage[] = []

try {
  await openApp(readConfig(process.env), pino({ level: 'silent' }), (stage) => {
    seen.push(stage)
    if (stage === failing) throw new Error(`failed after ${stage}`)
  })
} catch (error) {
  writeSync(1, JSON.stringify({ seen, error: (error as Error).message }))
}
