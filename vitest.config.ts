import { defineConfig } from 'vitest/config'

// Whole processes, browsers and clocks on a machine that may be busy: one more try tells a fault from a delay.
const retry = process.env['CI'] === undefined ? 0 : 1

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
          fileParallelism: false,
          retry,
        },
      },
      {
        test: {
          name: 'faults',
          include: ['e2e/faults.test.ts'],
          retry,
          globalSetup: ['scripts/services/vitest-setup.ts'],
          testTimeout: 180_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
