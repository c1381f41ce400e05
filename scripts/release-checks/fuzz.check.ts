import { spawn } from 'node:child_process'
import { once } from 'node:events'

/*
 * The fuzzer of `npm test` for an hour instead of a minute, from a seed that differs from day to day. A failure prints
 * the request; FUZZ_SEED repeats it. `npm run test:release -- fuzz -- 600` takes ten minutes.
 */

const seconds = process.argv[2] ?? '3600'
const seed = process.env['FUZZ_SEED'] ?? String(Math.floor(Date.now() / 86_400_000))
console.log(`${seconds} s from FUZZ_SEED=${seed}`)
const child = spawn('vitest', ['run', '--project', 'e2e', 'e2e/hostile/fuzz.test.ts'], {
  stdio: 'inherit',
  env: { ...process.env, FUZZ_SECONDS: seconds, FUZZ_SEED: seed },
})
const [code] = (await once(child, 'exit')) as [number | null]
process.exit(code ?? 1)
