import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { SlowestFirst } from './e2e/support/slowest-first.ts'

/*
 * The limits below only end a test that hangs. A test waits for a condition as long as a busy machine needs, and
 * never for a length of time in the hope that the condition then holds.
 */
const POLL = { poll: { timeout: 60_000 } }

// Much of its time a test file waits, so one more than there are cores; those of the e2e project wait longer, for
// processes to start, stop and time out. No more than four, because each of them runs a service, its databases and perhaps a
// browser.
const MOST_WORKERS = 4
const maxWorkers = Math.min(availableParallelism() + 1, MOST_WORKERS)
const e2eWorkers = Math.min(availableParallelism() + 2, MOST_WORKERS)

// Files in a process of their own: the first compares the processor time of the whole process, so that no other file may
// leave it garbage to collect; the other needs a library to be imported as in a browser.
const ALONE = ['packages/contract/src/schemas/linear.test.ts', 'packages/web/src/api/query-client.test.ts']

export default defineConfig({
  test: {
    sequence: { sequencer: SlowestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: ALONE,
          // These files share the processes that run them: to import the server anew costs each file a second.
          isolate: false,
          globalSetup: ['scripts/services/vitest-setup.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          expect: POLL,
          maxWorkers,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'unit-alone',
          include: ALONE,
          testTimeout: 180_000,
          hookTimeout: 180_000,
          maxWorkers,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          exclude: ['e2e/faults.test.ts'],
          globalSetup: ['scripts/services/vitest-setup.ts', 'e2e/support/build-server.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          expect: POLL,
          maxWorkers: e2eWorkers,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'faults',
          include: ['e2e/faults.test.ts'],
          sequence: { groupOrder: 2 },
          globalSetup: ['scripts/services/vitest-setup.ts', 'e2e/support/build-server.ts'],
          testTimeout: 600_000,
          hookTimeout: 300_000,
          expect: POLL,
        },
      },
    ],
  },
})
