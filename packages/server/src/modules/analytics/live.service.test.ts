import type { Readable } from 'node:stream'
import { type VisitDimension, visitDimensions } from '@waymark/contract'
import { expect, it } from 'vitest'
import { LiveClicks } from '../../clicks/live/live-clicks.ts'
import { liveClick as click } from '../../clicks/testing.ts'
import type { ExportedClick } from '../../clicks/statistics/statistics.ts'
import { LocalBus } from '../../net/bus/bus.ts'
import { forEachDatabase } from '../../storage/db/testing.ts'
import { testServices } from '../testing.ts'
import { createLive } from './live.service.ts'

const TO = 'https://example.com/there'

forEachDatabase((_engine, _open, databases) => {
  const services = testServices(databases)
  const setUp = async () => {
    const { core, modules, newUser } = services()
    const report = (error: unknown): void => {
      throw error
    }
    const { newId, now } = core
    const live = new LiveClicks({ bus: new LocalBus(report), newId, now, report })
    const user = await newUser()
    const stored: ExportedClick[] = []
    const create = (fields: object = {}) => modules.links.service.create(user, { link: TO, ...fields })
    const statistics = {
      clicks: async function* () {
        yield* stored
      },
      reach: () => Promise.resolve(),
    }
    const streams = createLive({
      ...core,
      live,
      ownHost: 'way.example',
      retentionDays: 365,
      statistics,
      report,
    })
    const open = (query: object) => streams.open(user, query)
    return { live, user, create, open, stored }
  }
  /** The next `count` clicks of a stream, which can arrive in any pieces. */
  const next = async (
    stream: Readable,
    count: number,
  ): Promise<{ link_uuid: string | null; clicked_at: string }[]> => {
    let text = ''
    for await (const piece of stream) {
      text += String(piece)
      const found = [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data) as never)
      if (found.length >= count) return found
    }
    throw new Error('The stream has ended')
  }

  it('streams the clicks of the account', async () => {
    const { live, user, create, open } = await setUp()
    const { uuid } = await create()
    const stream = await open({})
    live.report(user, [click(uuid, { scanned: true }), click('a page', { kind: 'button', detail: '3' })])
    expect(await next(stream, 2)).toMatchObject([
      {
        clicked_at: '1970-01-01T00:00:00.000Z',
        link_uuid: uuid,
        page_uuid: null,
        domain: 'way.example',
        os: 'iOS',
        source: 'qr',
        target: null,
      },
      { kind: 'button', link_uuid: null, page_uuid: 'a page', source: 'link', target: '3' },
    ])
    live.close()
  })

  it('begins with the latest clicks on request, without those of deleted links', async () => {
    const { live, create, open, stored } = await setUp()
    const [tagged, other] = [await create({ tags: ['a'] }), await create()]
    const at = (uuid: string, atMs: number): ExportedClick => ({
      ...(Object.fromEntries(visitDimensions.map((name) => [name, ''])) as Record<VisitDimension, string>),
      ...click(uuid, { atMs }),
    })
    stored.push(at(tagged.uuid, 1), at(other.uuid, 2), at('removed', 3), at(other.uuid, 4))
    const times = async (query: object, count: number): Promise<unknown[]> =>
      (await next(await open(query), count)).map(({ clicked_at }) => Date.parse(clicked_at))
    expect(await times({ recent: 3 }, 2)).toEqual([2, 4])
    expect(await times({ recent: 20, tag: 'a' }, 1)).toEqual([1])
    live.close()
  })

  it('streams one link, or the links of a tag or domain', async () => {
    const { live, user, create, open } = await setUp()
    const [tagged, other] = [await create({ tags: ['a', 'b'] }), await create()]
    const streams = [
      await open({ uuid: other.uuid }),
      await open({ tag: 'b' }),
      await open({ domain: 'GO.example' }),
    ]
    live.report(user, [click(tagged.uuid), click(other.uuid), click('elsewhere', { domain: 'go.example' })])
    const seen = await Promise.all(streams.map((stream) => next(stream, 1)))
    expect(seen.map((clicks) => clicks.map(({ link_uuid }) => link_uuid))).toEqual([
      [other.uuid],
      [tagged.uuid],
      ['elsewhere'],
    ])
    live.close()
  })

  it('rejects unknown links, and a link together with a tag', async () => {
    const { live, create, open } = await setUp()
    await expect(open({ uuid: crypto.randomUUID() })).rejects.toMatchObject({ code: 'not_found' })
    const { uuid } = await create()
    await expect(open({ uuid, tag: 'a' })).rejects.toMatchObject({ status: 422 })
    live.close()
  })
})
