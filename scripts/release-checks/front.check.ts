import { spawn } from 'node:child_process'
import { once } from 'node:events'

/*
 * The differential test of the socket front with 100,000 streams of bytes instead of the 3,000 of `npm test`, from a
 * seed that differs from day to day. A failure prints the seed to repeat it with.
 */

const STREAMS = 100_000
const seed = Math.floor(Date.now() / 86_400_000) * STREAMS
console.log(`${STREAMS.toLocaleString('en')} streams from FRONT_SEED=${seed}`)
const test = 'packages/server/src/visitors/front.differential.test.ts'
const child = spawn('vitest', ['run', '--project', 'unit', test], {
  stdio: 'inherit',
  env: { ...process.env, FRONT_STREAMS: String(STREAMS), FRONT_SEED: String(seed) },
})
const [code] = (await once(child, 'exit')) as [number | null]
process.exit(code ?? 1)
