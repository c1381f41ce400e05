import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import * as inBrowsers from './bwip.browser.ts'
import * as inNode from './bwip.node.ts'

test.each([
  ['gs1-128', '(01)09506000134352(10)AB12(21)9'],
  ['gs1-datamatrix', '(01)09506000134352(10)AB12(21)9'],
] as const)('%s has the same modules in browsers as in Node', async (symbology, text) => {
  const options = { parsefnc: false }
  expect(await inBrowsers.modulesOf(text, symbology, options)).toEqual(
    await inNode.modulesOf(text, symbology, options),
  )
})

test.each([
  ['datamatrix', 100],
  ['pdf417', 60],
  ['aztec', 60],
] as const)('%s has the same modules in browsers as in Node', async (symbology, numRuns) => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 120 }),
    fc.constantFrom('^ECI000026Größe ^^ 日本', '^ECI000026😀'),
  )
  await fc.assert(
    fc.asyncProperty(text, async (text) => {
      const options = { parsefnc: text.startsWith('^ECI') }
      expect(await inBrowsers.modulesOf(text, symbology, options)).toEqual(
        await inNode.modulesOf(text, symbology, options),
      )
    }),
    { numRuns },
  )
})
