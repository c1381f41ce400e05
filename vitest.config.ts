import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

// Left to itself Vitest keeps a core free, which of two is half of the machine.
const cores = availableParallelism()

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'scripts/**/*.test.ts'],
          globalSetup: ['scripts/services/vitest-setup.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          maxWorkers: cores,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          exclude: ['e2e/faults.test.ts'],
          globalSetup: ['scripts/services/vitest-setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // Every file has servers and data of its own, and much of its time it waits. No more than four, because each
          // of them runs a service, its databases and perhaps a browser.
          maxWorkers: Math.min(cores, 4),
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'faults',
          include: ['e2e/faults.test.ts'],
          sequence: { groupOrder: 2 },
          globalSetup: ['scripts/services/vitest-setup.ts'],
          testTimeout: 180_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
