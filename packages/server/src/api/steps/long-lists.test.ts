import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { actingFor } from '../../net/admission/gate.ts'
import { inPieces, readInTurn } from './long-lists.ts'
import type { Reply } from '../routes.ts'

const replyOf = (data: unknown): Reply => ({
  status: 200,
  payload: {
    status: 'success',
    message: 'Links',
    data,
    meta: { count: 1, total: 2, next_cursor: null },
    ignored: ['"data":[]', 'ü'],
  },
  headers: { etag: '"1"' },
})

test.each([101, 1_000])(
  'the JSON of %i items is the same in pieces, and its length is right',
  async (count) => {
    const items = Array.from({ length: count }, (_, n) => ({
      n,
      name: `"${'🧭é'.repeat(n)}`,
      none: undefined,
    }))
    const reply = replyOf(items)
    const { payload, headers, status } = await inPieces(reply)
    const bytes = await buffer(payload as Readable)
    expect(bytes.toString()).toBe(JSON.stringify(reply.payload))
    expect([status, headers]).toEqual([200, { etag: '"1"', 'content-length': String(bytes.length) }])
  },
)

test('a chunk has many small items, and other requests are served between chunks', async () => {
  let turns = 0
  const timer = setInterval(() => turns++, 0)
  await inPieces(replyOf(Array.from({ length: 300 }, () => 'x'.repeat(100_000))))
  clearInterval(timer)
  expect(turns).toBeGreaterThan(0)
  const small = await inPieces(replyOf(Array.from({ length: 1_000 }, (_, n) => n)))
  let pieces = 0
  for await (const _ of small.payload as Readable) pieces++
  expect(pieces).toBe(1)
})

test('other responses are unchanged', async () => {
  for (const reply of [
    replyOf(Array.from({ length: 100 }, (_, n) => n)),
    replyOf({ a: 1 }),
    { ...replyOf([]), payload: Buffer.from('x') },
    { ...replyOf([]), payload: Readable.from(['x']) },
  ])
    expect(await inPieces(reply)).toBe(reply)
})

test('long lists of an account wait for each other, short ones do not', async () => {
  let [running, most] = [0, 0]
  const read = async (): Promise<Reply> => {
    most = Math.max(most, ++running)
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
    running--
    return replyOf([])
  }
  const readMany = async (limit: number): Promise<number> => {
    most = 0
    await actingFor({ account: 'a' }, () =>
      Promise.all(Array.from({ length: 5 }, () => readInTurn({ limit }, read))),
    )
    return most
  }
  expect([await readMany(1_000), await readMany(100)]).toEqual([1, 5])
})
