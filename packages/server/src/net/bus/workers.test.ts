import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const child = fileURLToPath(new URL('workers.child.ts', import.meta.url))

it('shares messages and counts between real workers through their primary', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [child], { timeout: 120_000 })
  const reports = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { name: string; allowed: number; heard: string[] })
  expect(reports.map((report) => report.name).sort()).toEqual(['a', 'b'])
  for (const report of reports) expect(report.heard).toEqual(['a', 'b'])
  expect(reports.reduce((sum, report) => sum + report.allowed, 0)).toBe(40)
})
