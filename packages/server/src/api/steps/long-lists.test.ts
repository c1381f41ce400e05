import { expect, test } from 'vitest'
import { actingFor } from '../../net/admission/gate.ts'
import { readInTurn } from './long-lists.ts'
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
