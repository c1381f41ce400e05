import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import * as inBrowsers from './bwip.browser.ts'
import * as inNode from './bwip.node.ts'

test.each([
  ['code128', 200],
  ['datamatrix', 100],
  ['pdf417', 60],
  ['aztec', 60],
] as const)('%s has the same modules in browsers as in Node', (symbology, numRuns) => {
  const text = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 120 })
  fc.assert(
    fc.property(text, (text) => {
      expect(inBrowsers.modulesOf(text, symbology)).toEqual(inNode.modulesOf(text, symbology))
    }),
    { numRuns },
  )
})
