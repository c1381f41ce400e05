import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as {
  packages: Record<string, { gypfile?: boolean }>
}

// npm 10 reads this only from the lock file, and otherwise compiles SQLite, which needs a compiler and Node's headers.
// `npm install` removes the line when it rewrites the lock: add it again.
it('the lock file disables compiling better-sqlite3', () => {
  expect(packages['node_modules/better-sqlite3']?.gypfile).toBe(false)
})
