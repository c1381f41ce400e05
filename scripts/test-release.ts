import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { printTable } from './release-checks/table.ts'

/*
 * Tests that take too long for `npm test`, or need more programs: `npm run test:release`. Every file
 * scripts/release-checks/NAME.check.ts is a program that exits 0 if its check passes. All run, one after another, even if one
 * fails; arguments choose some of them by name, and those after `--` are passed on to them:
 *
 *   npm run test:release
 *   npm run test:release -- installs -- --node 20
 */

const folder = fileURLToPath(new URL('./release-checks/', import.meta.url))
const nameOf = (file: string): string => basename(file, '.check.ts')

const words = process.argv.slice(2)
const end = words.includes('--') ? words.indexOf('--') : words.length
const [chosen, passedOn] = [words.slice(0, end), words.slice(end + 1)]

const checks = globSync('*.check.ts', { cwd: folder }).sort()
const unknown = chosen.filter((name) => !checks.map(nameOf).includes(name))
if (unknown.length > 0) {
  console.error(`There is no check ${unknown.join(', ')}; there are ${checks.map(nameOf).join(', ')}`)
  process.exit(2)
}

const rows: string[][] = []
for (const file of checks.filter((file) => chosen.length === 0 || chosen.includes(nameOf(file)))) {
  console.log(`\n── ${nameOf(file)}\n`)
  const startedAt = performance.now()
  const child = spawn(process.execPath, [join(folder, file), ...passedOn], { stdio: 'inherit' })
  const stop = (signal: NodeJS.Signals): void => void child.kill(signal)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop)
  const [code] = (await once(child, 'exit')) as [number | null]
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.off(signal, stop)
  const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1)
  rows.push([nameOf(file), code === 0 ? 'passed' : 'FAILED', minutes])
}

console.log('\n── Release checks\n')
printTable(['check', 'result', 'minutes'], rows)
process.exit(rows.some(([, result]) => result !== 'passed') ? 1 : 0)
