import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clientOf, failure } from '../test/client.ts'
import { json, type Reply, RecordingServer } from '../test/recording-server.ts'

const server = new RecordingServer()
beforeAll(() => server.listen())
afterAll(() => server.close())
const client = clientOf(server)

const take = async (events: AsyncIterable<unknown>, count: number): Promise<unknown[]> => {
  const taken: unknown[] = []
  for await (const event of events) if (taken.push(event) === count) break
  return taken
}

describe('a stream of events', () => {
  it('yields the data of each event, in any chunks, and reopens a stream that ends', async () => {
    const pauses: number[] = []
    const wait = (ms: number): Promise<void> => Promise.resolve(void pauses.push(ms))
    const first: Reply = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('retry: 3000\n\n:\n\nevent: click\nda')
      setImmediate(() => response.end('ta: {"code":"ü"}\n\nevent: click\ndata: {"code":"b"}\n\nevent: cl'))
    }
    server.respond(first, (response) => response.end('event: click\ndata: {"code":"c"}\n\n'))
    const seen = await take(client({ wait }).live(), 3)
    expect(seen).toEqual([{ code: 'ü' }, { code: 'b' }, { code: 'c' }])
    expect(pauses).toEqual([3_000])
  })

  it('throws the error of the server', async () => {
    server.respond(json(404, { error: 'Not found' }))
    expect(await failure(take(client().live({ uuid: 'x' }), 1))).toMatchObject({ status: 404 })
  })

  it('ends when the caller aborts', async () => {
    const stop = new AbortController()
    server.respond((response) => {
      response.write('event: click\ndata: {}\n\n')
    })
    const events = client().live({}, { signal: stop.signal })
    await expect(
      (async () => {
        for await (const _ of events) stop.abort(new Error('enough'))
      })(),
    ).rejects.toThrow('enough')
  })
})
