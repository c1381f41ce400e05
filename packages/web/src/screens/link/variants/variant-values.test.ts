import type { Link } from '@waymark/sdk'
import { expect, test } from 'vitest'
import { addVariant, percentsOf, sentVariants, sumOf, variantValuesOf } from './variant-values.ts'

const url = 'https://example.com/'
const linkWith = (...weights: number[]): Link =>
  ({
    link: url,
    variants: weights.map((weight, at) => ({ url: `${url}${at}`, weight, name: `V${at}` })),
  }) as Link

test.each([
  [
    [1, 1],
    ['50', '50'],
  ],
  [
    [1, 1, 1],
    ['33.4', '33.3', '33.3'],
  ],
  [
    [90, 10],
    ['90', '10'],
  ],
  [
    [1000, 1],
    ['99.9', '0.1'],
  ],
])('weights %j are shown as %j, which add up', (weights, percents) => {
  expect(percentsOf(weights)).toEqual(percents)
  expect(sumOf(variantValuesOf(linkWith(...weights)).variants)).toBe(100)
})

test('untouched shares keep their weights, others become thousandths', () => {
  const link = linkWith(1, 2)
  const values = variantValuesOf(link)
  expect(sentVariants(values, link).map(({ weight }) => weight)).toEqual([1, 2])
  const [first, second] = values.variants
  const changed = {
    variants: [
      { ...first!, percent: '12.5' },
      { ...second!, percent: '87.5' },
    ],
  }
  expect(sentVariants(changed, link).map(({ weight }) => weight)).toEqual([125, 875])
})

test.each(['49', '', 'many'])('a share of %j is rejected when the sum is not 100', (percent) => {
  const link = linkWith(1, 1)
  const [first, second] = variantValuesOf(link).variants
  expect(() => sentVariants({ variants: [{ ...first!, percent }, second!] }, link)).toThrow()
})

test('the first test begins with the destination of the link', () => {
  expect(addVariant([], url)).toMatchObject([
    { name: 'A', url, percent: '50' },
    { name: 'B', url: '', percent: '50' },
  ])
})
