import { CodeError, drawQr } from '@waymark/codes'
import { afterEach, expect, test } from 'vitest'
import { openCodeThread } from './code-thread.ts'
import type { CodeThread } from './code-thread.ts'
import { toPng } from './raster.ts'

const text = 'https://example.com/menu'
let thread: CodeThread | undefined
afterEach(() => thread?.close())

test('answers every question, in whatever order they end', async () => {
  thread = openCodeThread({ threads: 2 })
  const texts = Array.from({ length: 20 }, (_, at) => `${text}/${at}`)
  const read = texts.map(async (each) => thread?.read(await toPng(drawQr({ text: each })), 'qr'))
  expect(await Promise.all(read)).toEqual(texts)
})

test('finds nothing in a picture of nothing, nor in bytes that are no picture', async () => {
  thread = openCodeThread()
  expect(await thread.read(await toPng(drawQr({ text, color: '#ffffff' })), 'qr')).toBeUndefined()
  expect(await thread.read(Buffer.from('not a picture'), 'qr').catch(() => undefined)).toBeUndefined()
  expect(await thread.read(await toPng(drawQr({ text })), 'qr')).toBe(text)
})

test('encodes, and hands faults back as what they are', async () => {
  thread = openCodeThread()
  expect(await thread.encode(text, 'aztec')).toMatchObject({ rowModules: 1 })
  await expect(thread.encode('a'.repeat(5000), 'datamatrix')).rejects.toThrow(CodeError)
})
