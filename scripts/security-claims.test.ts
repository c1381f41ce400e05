import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const root = new URL('../', import.meta.url)
const text = readFileSync(new URL('SECURITY.md', root), 'utf8')
const rows = text.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| against'))
const testsIn = (line: string): string[] => line.match(/(?<=`)[^`]+\.test\.ts(?=`)/g) ?? []

it('SECURITY.md names a test for every claim', () => {
  expect(rows.length).toBeGreaterThan(10)
  expect(rows.filter((row) => testsIn(row).length === 0)).toEqual([])
})

it('every test that SECURITY.md names exists', () => {
  expect(testsIn(text).filter((path) => !existsSync(new URL(path, root)))).toEqual([])
})
