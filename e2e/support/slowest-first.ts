import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/*
 * Without the durations of an earlier run, as in a fresh clone, Vitest starts the largest files first. The size of these
 * does not show how long they take, and one that starts last keeps the whole run waiting.
 */
const SLOWEST = [
  'cli',
  'bulk-edits',
  'imports',
  'dashboard/accessibility',
  'npm-start',
  'dashboard/lists',
  'start',
  'docs-shell',
  'dashboard/statistics',
  'image',
  'oidc',
  'pages-browser',
  'clicks',
  'abuse',
  'workers',
  'removal',
  'domains',
  'migrate-data',
  'hostile/uploads',
  'hostile/fuzz',
].map((name) => fileURLToPath(new URL(`../${name}.test.ts`, import.meta.url)))

const missing = SLOWEST.filter((file) => !existsSync(file))
if (missing.length > 0) throw new Error(`No such test file: ${missing.join(', ')}`)

/** Starts the test files that are known to take longest first, and the others in Vitest's order. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = SLOWEST.indexOf(moduleId)
      return at === -1 ? SLOWEST.length : at
    }
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}
