import { describe, expect, it } from 'vitest'
import { rank, type SearchEntry } from './ranking.ts'

const entries: SearchEntry[] = [
  ['/reference/generate-link', 'POST /v1/generate-link', 'Create a short link', 'link customlink max_clicks'],
  ['/signing', 'Signing requests', '', 'headers signature'],
  ['/signing#the-rule', 'Signing requests', 'The rule', 'timestamp hmac digest'],
  ['/rate-limits', 'Rate limits', '', 'minute retry-after'],
]
const pathsOf = (query: string): string[] => rank(entries, query).map(([path]) => path)

describe('searching the docs', () => {
  it('finds beginnings of words in titles, paths and texts', () => {
    expect(pathsOf('sign')).toEqual(['/signing', '/signing#the-rule'])
    expect(pathsOf('generate-link')).toEqual(['/reference/generate-link'])
    expect(pathsOf('max_cl')).toEqual(['/reference/generate-link'])
    expect(pathsOf('RETRY')).toEqual(['/rate-limits'])
  })

  it('needs every word', () => {
    expect(pathsOf('signing hmac')).toEqual(['/signing#the-rule'])
    expect(pathsOf('signing minute')).toEqual([])
  })

  it('finds nothing for an empty query', () => {
    expect(pathsOf('  ')).toEqual([])
  })
})
