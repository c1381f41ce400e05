import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { VISITOR_TABLES } from '../packages/server/src/storage/db/tables.ts'

const root = new URL('../', import.meta.url)
const text = readFileSync(new URL('SECURITY.md', root), 'utf8')
const rows = text.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| against'))
const testsIn = (line: string): string[] => line.match(/(?<=`)[^`]+\.test\.ts(?=`)/g) ?? []

it('SECURITY.md names a test for every claim', () => {
  expect(rows.length).toBeGreaterThan(10)
  expect(rows.filter((row) => testsIn(row).length === 0)).toEqual([])
})

it('every test in SECURITY.md exists', () => {
  expect(testsIn(text).filter((path) => !existsSync(new URL(path, root)))).toEqual([])
})

it('SECURITY.md and the guide to backups list every table that backups must not contain', () => {
  const guide = readFileSync(new URL('docs/backups.md', root), 'utf8')
  for (const table of VISITOR_TABLES)
    expect([text.includes(`\`${table}\``), guide.includes(`--exclude-table-data=${table}`)]).toEqual([
      true,
      true,
    ])
})
