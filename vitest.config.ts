import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { SlowestFirst } from './e2e/support/slowest-first.ts'

/*
 * The limits below only end a test that hangs. A test waits for a condition as long as a busy machine needs, and
 * never for a length of time in the hope that the condition then holds.
 */
const POLL = { poll: { timeout: 60_000 } }

// Left to itself Vitest keeps a core free, which of two is half of the machine.
const cores = availableParallelism()

export default defineConfig({
  test: {
    sequence: { sequencer: SlowestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'scripts/**/*.test.ts'],
          globalSetup: ['scripts/services/vitest-setup.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          expect: POLL,
          maxWorkers: cores,
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
          // Every file has servers and data of its own, and much of its time it waits, so one more than there are cores.
          // No more than four, because each of them runs a service, its databases and perhaps a browser.
          maxWorkers: Math.min(cores + 1, 4),
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
