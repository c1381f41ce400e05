import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { SlowestFirst } from './e2e/support/slowest-first.ts'

/*
 * The name of a test file says when it runs: `x.test.ts` with `npm test`, `x.slow.test.ts` with `npm run test:all`. Tests in
 * `forEachStack` run with the first on the embedded stack, and with the second on PostgreSQL, Redis and S3.
 *
 * The limits below only end a test that hangs. A test waits for a condition as long as a busy machine needs, and
 * never for a length of time in the hope that the condition then holds.
 */
const POLL = { poll: { timeout: 60_000 } }

// Much of its time a test file waits, so one more than there are cores; those of e2e wait longer, for processes to start,
// stop and time out. No more than four, because each of them runs a service, its databases and perhaps a browser.
const MOST_WORKERS = 4
const maxWorkers = Math.min(availableParallelism() + 1, MOST_WORKERS)
const e2eWorkers = Math.min(availableParallelism() + 2, MOST_WORKERS)

// Files in a process of their own: the first two compare the processor time of the whole process, so that no other file may
// leave it garbage to collect; the other needs a library to be imported as in a browser.
const ALONE = [
  'packages/contract/src/schemas/linear.test.ts',
  'packages/gs1/src/linear.test.ts',
  'packages/web/src/api/query-client.test.ts',
]
const SLOW = '**/*.slow.test.ts'
const FAULTS = 'e2e/faults.slow.test.ts'

const onEachStack = globSync('e2e/**/*.test.ts', { cwd: import.meta.dirname }).filter((file) =>
  /\b(?:forEachStack|stacksOfRun)\(/.test(readFileSync(`${import.meta.dirname}/${file}`, 'utf8')),
)

const unit = {
  testTimeout: 180_000,
  hookTimeout: 180_000,
  maxWorkers,
  sequence: { groupOrder: 0 },
}

/** Files that import the server share the processes that run them: to import it anew costs each file a second. */
const shared = { ...unit, isolate: false, globalSetup: ['scripts/services/vitest-setup.ts'], expect: POLL }

const e2e = {
  globalSetup: ['scripts/services/vitest-setup.ts', 'e2e/support/build-server.ts'],
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: POLL,
  maxWorkers: e2eWorkers,
  sequence: { groupOrder: 1 },
}

export default defineConfig({
  test: {
    sequence: { sequencer: SlowestFirst },
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: [...ALONE, SLOW],
        },
      },
      { test: { ...unit, name: 'unit-alone', include: ALONE } },
      {
        test: {
          ...shared,
          name: 'unit-slow',
          include: ['packages/*/src/**/*.slow.test.ts', 'scripts/**/*.slow.test.ts'],
        },
      },
      {
        test: {
          ...e2e,
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          exclude: [SLOW],
          provide: { stacks: ['embedded'] },
        },
      },
      {
        test: {
          ...e2e,
          name: 'e2e-slow',
          include: ['e2e/**/*.slow.test.ts'],
          exclude: [FAULTS],
          provide: { stacks: ['embedded', 'servers'] },
        },
      },
      {
        test: {
          ...e2e,
          name: 'e2e-servers',
          include: onEachStack,
          exclude: [SLOW],
          provide: { stacks: ['servers'] },
        },
      },
      {
        test: {
          ...e2e,
          name: 'faults',
          include: [FAULTS],
          sequence: { groupOrder: 2 },
          testTimeout: 600_000,
        },
      },
    ],
  },
})
