import { CodeError, drawQr } from '@waymark/codes'
import { afterEach, expect, test } from 'vitest'
import { openCodeThread } from './code-thread.ts'
import type { CodeThread } from './code-thread.ts'
import { toPng } from './raster.ts'

const text = 'https://example.com/menu'
let thread: CodeThread | undefined
afterEach(() => thread?.close())

test('answers every question, in whatever order they end', async () => {
  thread = openCodeThread({ tasksAtOnce: 2 })
  const texts = Array.from({ length: 20 }, (_, at) => `${text}/${at}`)
  const read = texts.map(async (each) => thread?.read(await toPng(drawQr({ text: each })), 'qr'))
  expect(await Promise.all(read)).toEqual(texts)
})

test('a thread that dies over several tasks is replaced, and each of them gets its own answer', async () => {
  let started = 0
  thread = openCodeThread({
    tasksAtOnce: 3,
    onStart: (worker) => void (++started === 1 && worker.terminate()),
  })
  const texts = Array.from({ length: 6 }, (_, at) => `${text}/${at}`)
  const pngs = await Promise.all(texts.map((each) => toPng(drawQr({ text: each }))))
  expect(await Promise.all(pngs.map(async (png) => thread?.read(png, 'qr')))).toEqual(texts)
  expect(started).toBe(2)
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

test('a thread that dies is replaced, and its task done by the next', async () => {
  const started: number[] = []
  thread = openCodeThread({
    onStart: (worker) => {
      started.push(worker.threadId)
      if (started.length === 1) void worker.terminate()
    },
  })
  expect(await thread.read(await toPng(drawQr({ text })), 'qr')).toBe(text)
  expect(started).toHaveLength(2)
})

test('a task that kills every thread is given up, and the next one is served', async () => {
  let kill = true
  thread = openCodeThread({ onStart: (worker) => void (kill && worker.terminate()) })
  const png = await toPng(drawQr({ text }))
  await expect(thread.read(png, 'qr')).rejects.toThrow('ended during its task')
  kill = false
  expect(await thread.read(png, 'qr')).toBe(text)
})

test('a task that takes too long twice is 503, and worth another try', async () => {
  // What they reply is not heard: on a machine that stands still for a moment it would arrive before their end.
  thread = openCodeThread({ limitMs: 0, onStart: (worker) => void worker.removeAllListeners('message') })
  const read = thread.read(await toPng(drawQr({ text })), 'qr')
  await expect(read).rejects.toMatchObject({ code: 'busy', status: 503 })
})

test('closing rejects what is under way and what comes after', async () => {
  thread = openCodeThread()
  const png = await toPng(drawQr({ text }))
  const underWay = [thread.read(png, 'qr'), thread.read(png, 'qr')].map((read) =>
    expect(read).rejects.toThrow(),
  )
  await thread.close()
  await Promise.all(underWay)
  await expect(thread.read(png, 'qr')).rejects.toThrow('closed')
})
