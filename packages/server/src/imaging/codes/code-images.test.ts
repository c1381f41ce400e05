import { CodeError, drawQr } from '@waymark/codes'
import { afterAll, expect, test } from 'vitest'
import { openCodeImages } from './code-images.ts'
import { toPng } from './raster.ts'
import { codeReader } from './read-code.ts'

const text = 'https://example.com/menu'
const pictures = openCodeImages()
afterAll(() => pictures.close())

test('returns every result, in any order', async () => {
  const sizes = [100, 900, 200, 700, 300, 500]
  const drawn = await Promise.all(
    sizes.map((size) => pictures.render({ kind: 'qr', input: { text, size }, drawing: {} }, 'svg')),
  )
  for (const [at, { bytes }] of drawn.entries()) expect(bytes.toString()).toContain(`width="${sizes[at]}"`)
})

test('finds nothing in an empty picture, nor in bytes that are not a picture', async () => {
  expect(await codeReader.read(await toPng(drawQr({ text, color: '#ffffff' })), 'qr')).toBeUndefined()
  expect(await codeReader.read(Buffer.from('not a picture'), 'qr').catch(() => undefined)).toBeUndefined()
  expect(await codeReader.read(await toPng(drawQr({ text })), 'qr')).toBe(text)
})

test('passes faults on with their class', async () => {
  const long = { text: 'a'.repeat(5000), symbology: 'aztec' } as const
  await expect(pictures.proveBarcode(long)).rejects.toThrow(CodeError)
  await expect(pictures.render({ kind: 'barcode', input: long }, 'svg')).rejects.toThrow(CodeError)
})
