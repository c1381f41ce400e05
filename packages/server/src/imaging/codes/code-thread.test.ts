import { CodeError, drawQr } from '@waymark/codes'
import { afterEach, expect, test } from 'vitest'
import { openCodeThread } from './code-thread.ts'
import type { CodeThread } from './code-thread.ts'
import { toPng } from './raster.ts'

const text = 'https://example.com/menu'
let thread: CodeThread | undefined
afterEach(() => thread?.close())

test('returns every result, in any order', async () => {
  thread = openCodeThread({ threads: 2 })
  const texts = Array.from({ length: 20 }, (_, at) => `${text}/${at}`)
  const read = texts.map(async (each) => thread?.read(await toPng(drawQr({ text: each })), 'qr'))
  expect(await Promise.all(read)).toEqual(texts)
})

test('finds nothing in an empty picture, nor in bytes that are not a picture', async () => {
  thread = openCodeThread()
  expect(await thread.read(await toPng(drawQr({ text, color: '#ffffff' })), 'qr')).toBeUndefined()
  expect(await thread.read(Buffer.from('not a picture'), 'qr').catch(() => undefined)).toBeUndefined()
  expect(await thread.read(await toPng(drawQr({ text })), 'qr')).toBe(text)
})

test('encodes, and passes faults on with their class', async () => {
  thread = openCodeThread()
  expect(await thread.encode(text, 'aztec')).toMatchObject({ rowModules: 1 })
  await expect(thread.encode('a'.repeat(5000), 'datamatrix')).rejects.toThrow(CodeError)
})
