import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clientOf, failure } from '../test/client.ts'
import { json, ok, RecordingServer } from '../test/recording-server.ts'
import type { WaymarkError } from './index.ts'

const server = new RecordingServer()
beforeAll(() => server.listen())
afterAll(() => server.close())
const client = clientOf(server)

describe('a list', () => {
  const page = (items: number[], next: string | null) =>
    ok(items, { count: items.length, total: 3, next_cursor: next })

  it('is one page when it is awaited', async () => {
    server.respond(page([1, 2], 'c1'))
    const list = client().links({ tag: 'x' })
    expect(server.requests).toHaveLength(0)
    expect(await list).toMatchObject({ data: [1, 2], meta: { next_cursor: 'c1' } })
    await list
    expect(server.requests.map(({ url }) => url)).toEqual(['/v1/links?tag=x'])
  })

  it('has all items when it is iterated over, in the largest pages', async () => {
    server.respond(page([1, 2], 'c1'), page([3], null))
    const seen: unknown[] = []
    for await (const link of client().links({ tag: 'x', limit: undefined })) seen.push(link)
    expect(seen).toEqual([1, 2, 3])
    expect(server.requests.map(({ url }) => url)).toEqual([
      '/v1/links?limit=1000&tag=x',
      '/v1/links?limit=1000&tag=x&cursor=c1',
    ])
  })

  it('can be read page by page, from any cursor', async () => {
    server.respond(page([3], null))
    const pages: unknown[] = []
    for await (const each of client().links({ cursor: 'c1', limit: 2 }).pages()) pages.push(each)
    expect(pages).toMatchObject([{ data: [3], meta: { total: 3 } }])
    expect(server.last.url).toBe('/v1/links?limit=2&cursor=c1')
  })

  it('fails as a promise does', async () => {
    server.respond(json(404, { error: 'Not found' }))
    expect(await failure(client().links())).toMatchObject({ name: 'NotFoundError' })
    expect(
      await client()
        .links()
        .catch((error: WaymarkError) => error.code),
    ).toBe('not_found')
    let settled = 0
    await client()
      .links()
      .finally(() => settled++)
      .catch(() => settled++)
    expect(settled).toBe(2)
  })
})

describe('all', () => {
  it('iterates over the pages and requests the next one only when needed', async () => {
    const page = (items: number[], next: string | null) =>
      ok(items, { count: items.length, total: 5, next_cursor: next })
    server.respond(page([1, 2], 'c1'), page([], 'c2'), page([3], null))
    const seen: unknown[] = []
    for await (const item of client().all('links', { limit: 2, tag: 'x' })) {
      seen.push(item)
      if (seen.length === 2) expect(server.requests).toHaveLength(1)
    }
    expect(seen).toEqual([1, 2, 3])
    expect(server.requests.map(({ url }) => url)).toEqual([
      '/v1/links?limit=2&tag=x',
      '/v1/links?limit=2&tag=x&cursor=c1',
      '/v1/links?limit=2&tag=x&cursor=c2',
    ])
  })
})
