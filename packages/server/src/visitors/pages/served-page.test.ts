import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, it, test } from 'vitest'
import { encodingFor, isHeld, makeServedPage } from './page-finder.ts'

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['br;q=1.0, gzip', 'br'],
  ['gzip;q=0.5,br;q=0', 'gzip'],
  ['br;q=0.0 , gzip ; q=0', 'identity'],
  ['br;q=0.001', 'br'],
  ['br;q= 0, gzip;\tq =0.00', 'identity'],
  ['brotli, xgzip', 'identity'],
  ['GZIP', 'gzip'],
  ['deflate', 'identity'],
])('%j gets %s', (header, encoding) => expect(encodingFor(header)).toBe(encoding))

it('is the same page in every encoding, each with its own ETag', async () => {
  const page = await makeServedPage({ title: 'T', logoPosition: 'top-left', buttons: [] })
  expect(brotliDecompressSync(page.br.body)).toEqual(page.identity.body)
  expect(gunzipSync(page.gzip.body)).toEqual(page.identity.body)
  expect(new Set([page.br.etag, page.gzip.etag, page.identity.etag]).size).toBe(3)
  const { br } = page
  expect(br.headers.slice(br.headers.indexOf('content-encoding'))[1]).toBe('br')
  expect(isHeld(`W/${br.etag}, "other"`, br)).toBe(true)
  expect(isHeld('*', br)).toBe(true)
  expect(isHeld(page.gzip.etag, br)).toBe(false)
  expect(isHeld(undefined, br)).toBe(false)
})
