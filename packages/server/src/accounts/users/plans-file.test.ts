import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { OperatorError } from '../../net/errors.ts'
import { readPlansFile } from './plans-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'waymark-plans-file-'))
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0
const file = (text: string): string => {
  const path = join(folder, `${files++}.json`)
  writeFileSync(path, text)
  return path
}

it('reads the plans of a file, and has one of its own without', () => {
  expect(readPlansFile(file('{"gold":{"price":5}}')).initial).toBe('gold')
  expect(readPlansFile(undefined).initial).toBe('free')
})

it.each([
  ['no file', '/nowhere/plans\n.json', /cannot be read/],
  ['text', file('nope\n'), /is not a list of plans/],
  ['no plan in a list', file('[]'), /plans: Too small/],
  ['no plan by name', file('{}'), /is not a list of plans/],
  ['a misspelt field', file('[{"name":"pro","prise":5}]'), /prise/],
  ['an unknown limit', file('{"a":{"limits":{"nothing":1}}}'), /nothing/],
  [
    'several wrong fields',
    file('[{"name":"pro","price":"ten","limits":{"links":-1}}]'),
    /plans: 0\.price: .*; 0\.limits\.links: /,
  ],
])('says in one line what is wrong: %s', (_, path, expected) => {
  let fault: unknown
  try {
    readPlansFile(path)
  } catch (error) {
    fault = error
  }
  expect(fault).toBeInstanceOf(OperatorError)
  const { message } = fault as OperatorError
  expect(message).toMatch(/^PLANS_FILE [^\n]*$/)
  expect(message).toMatch(expected)
})
