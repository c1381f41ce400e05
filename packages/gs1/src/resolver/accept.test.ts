import { expect, it } from 'vitest'
import { languageWeight, typeWeight, wantsLinkset, weightsOf } from './accept.ts'

it.each<[header: string | undefined, weights: [string, number][]]>([
  [undefined, []],
  ['', []],
  [' , ,', []],
  ['de', [['de', 1]]],
  [
    'de-CH, de;q=0.9 ,*;q=0.5',
    [
      ['de-ch', 1],
      ['de', 0.9],
      ['*', 0.5],
    ],
  ],
  ['text/html;level=1;q=0.4', [['text/html', 0.4]]],
  [
    'a;q=0, b;Q=1.000, c; q = 0.001',
    [
      ['a', 0],
      ['b', 1],
      ['c', 0.001],
    ],
  ],
  // A wrong weight counts as none, and the higher one of two counts.
  [
    'a;q=2, b;q=x, c;q=0.2, c;q=0.7',
    [
      ['a', 1],
      ['b', 1],
      ['c', 0.7],
    ],
  ],
])('%s', (header, weights) => {
  expect([...weightsOf(header)]).toEqual(weights)
})

it('a header of a thousand names is read up to a hundred', () => {
  expect(weightsOf(Array.from({ length: 1000 }, (_, at) => `a${at}`).join(',')).size).toBe(100)
})

it.each<[header: string, better: string, worse: string]>([
  ['de', 'de', 'en'],
  ['de-CH', 'de-CH', 'de'],
  ['de-CH', 'de', 'de-AT'],
  ['de-CH', 'de-AT', 'en'],
  ['de', 'de-AT', 'en'],
  ['en;q=0.8, de;q=0.9', 'de', 'en'],
  ['en, *;q=0.1', 'fr', ''],
  ['*, en;q=0', 'fr', 'en'],
  ['DE', 'de', 'en'],
])('%s prefers %s to %s', (header, better, worse) => {
  const weights = weightsOf(header)
  expect(languageWeight(weights, better)).toBeGreaterThan(worse === '' ? 0 : languageWeight(weights, worse))
})

it.each<[header: string, type: string, weight: number]>([
  ['text/html', 'text/html', 1],
  ['text/html', 'application/pdf', 0],
  ['text/*;q=0.3, */*;q=0.1', 'text/html;charset=utf-8', 0.3],
  ['text/*;q=0.3, */*;q=0.1', 'application/pdf', 0.1],
])('%s wants %s: %d', (header, type, weight) => {
  expect(typeWeight(weightsOf(header), type)).toBe(weight)
})

it.each<[header: string | undefined, wants: boolean]>([
  ['application/linkset+json', true],
  ['application/json', true],
  ['application/ld+json', true],
  ['application/json, text/plain', true],
  ['application/json, text/html;q=0.9', true],
  ['application/json, */*;q=0.1', true],
  ['application/json;q=0', false],
  // What fetch libraries send.
  ['application/json, text/plain, */*', false],
  ['application/json, text/html', false],
  ['application/json;q=0.5, image/png', false],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', false],
  ['*/*', false],
  [undefined, false],
])('Accept: %s wants a linkset: %s', (header, wants) => {
  expect(wantsLinkset(weightsOf(header))).toBe(wants)
})
