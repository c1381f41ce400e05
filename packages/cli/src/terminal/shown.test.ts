import { expect, it } from 'vitest'
import { table } from './table.ts'

it('aligns columns', () => {
  expect(
    table([
      ['code', 'clicks'],
      ['a', '1'],
    ]),
  ).toBe('code  clicks\na     1')
})

it('prints no control characters, which visitors and other users could send to a terminal', () => {
  expect(
    table([
      ['\u001B]0;title\u0007\u001B[31mred', 'two\r\nlines'],
      ['\u009B2J', 'x'],
    ]),
  ).toBe('\uFFFD]0;title\uFFFD\uFFFD[31mred  two lines\n\uFFFD2J                 x')
})
