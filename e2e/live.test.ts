import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { get, post, sign } from './support/requests.ts'
import { forEachStack, stacks } from './support/stacks.ts'
import { type Account, startWaymark, type Waymark } from './support/waymark.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const VISITOR = {
  'user-agent': FIREFOX,
  'x-forwarded-for': '81.2.69.142',
  referer: 'https://news.example.org/today',
}
const PAST_2_S = 20_000

interface Stream {
  readonly response: Response
  /** What has arrived so far. */
  readonly text: () => string
  readonly ended: Promise<void>
  readonly stop: () => void
}

async function listen(waymark: Waymark, account: Account, query = ''): Promise<Stream> {
  const path = `/v1/live${query}`
  const stop = new AbortController()
  const response = await fetch(waymark.url + path, {
    headers: { ...sign(account, 'GET', path), connection: 'close' },
    signal: stop.signal,
  })
  let arrived = ''
  const read = async (): Promise<void> => {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) arrived += chunk
  }
  const ended = read().catch(() => undefined)
  return { response, text: () => arrived, ended, stop: () => stop.abort() }
}

const clicksIn = (text: string): Record<string, unknown>[] =>
  [...text.matchAll(/^event: click\ndata: (.*)$/gm)].map(
    ([, data = '']) => JSON.parse(data) as Record<string, unknown>,
  )

const makeLink = async (waymark: Waymark, account: Account, more = {}) => {
  const { body } = await post(waymark, account, '/v1/generate-link', {
    link: 'https://example.com/',
    ...more,
  })
  return body.data as { uuid: string; code: string; domain: string; short_url: string }
}

const visit = (url: string): Promise<Response> => fetch(url, { redirect: 'manual', headers: VISITOR })

forEachStack(
  (waymark) => {
    it('sends a click to those who listen, without anything of the visitor', async () => {
      const account = await waymark().account()
      const [link, other] = [
        await makeLink(waymark(), account),
        await makeLink(waymark(), account, { tags: ['second', 'spring'] }),
      ]
      const [all, one, tagged, elsewhere] = [
        await listen(waymark(), account),
        await listen(waymark(), account, `?uuid=${other.uuid}`),
        await listen(waymark(), account, `?tag=spring&domain=${link.domain}`),
        await listen(waymark(), account, '?domain=elsewhere.example'),
      ]
      expect(all.response.status).toBe(200)
      expect(all.response.headers.get('content-type')).toBe('text/event-stream')
      expect(all.response.headers.get('x-ratelimit-limit')).toMatch(/^\d+$/)
      const clickedAt = performance.now()
      await visit(link.short_url)
      await expect.poll(() => clicksIn(all.text()), { timeout: PAST_2_S, interval: 20 }).toHaveLength(1)
      console.log(`heard of a click after ${(performance.now() - clickedAt).toFixed(0)} ms`)
      expect(clicksIn(all.text())[0]).toEqual({
        clicked_at: expect.stringMatching(/^\d{4}-.*Z$/) as string,
        kind: 'link',
        link_uuid: link.uuid,
        page_uuid: null,
        code: link.code,
        domain: link.domain,
        target: null,
        country: 'GB',
        referrer: 'news.example.org',
        device: 'desktop',
        browser: 'Firefox',
        os: 'Linux',
        language: '',
        variant: '',
        rule: '',
        source: 'link',
        bot: false,
      })
      await visit(other.short_url)
      for (const some of [one, tagged])
        await expect
          .poll(() => clicksIn(some.text()).map(({ code }) => code), { timeout: PAST_2_S })
          .toEqual([other.code])
      expect(clicksIn(elsewhere.text())).toEqual([])
      for (const { stop } of [all, one, tagged, elsewhere]) stop()
    })

    it('ends when its key is revoked', async () => {
      const account = await waymark().account()
      const stream = await listen(waymark(), account)
      await waymark().cli('key', 'revoke', account.apiKey)
      await stream.ended
      expect((await listen(waymark(), account)).response.status).toBe(401)
    })

    it('404 for a link of another account, 422 for a link and a tag, 401 without a signature, 429 for the eleventh stream', async () => {
      const [account, stranger] = [await waymark().account(), await waymark().account()]
      const { uuid } = await makeLink(waymark(), account)
      expect((await get(waymark(), stranger, `/v1/live?uuid=${uuid}`)).status).toBe(404)
      const both = await get(waymark(), account, `/v1/live?uuid=${uuid}&tag=spring`)
      expect([both.status, both.body.errors]).toEqual([
        422,
        { uuid: ['Cannot be combined with tag or domain'] },
      ])
      const unsigned = await fetch(`${waymark().url}/v1/live`, { headers: { 'x-api-key': account.apiKey } })
      expect([unsigned.status, await unsigned.json()]).toEqual([401, { error: 'Signature missing' }])
      const streams: Stream[] = []
      for (let n = 0; n < 10; n++) streams.push(await listen(waymark(), account))
      const refused = await get(waymark(), account, '/v1/live')
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10'])
      for (const { stop } of streams) stop()
      await expect
        .poll(async () => {
          const again = await listen(waymark(), account)
          again.stop()
          return again.response.status
        })
        .toBe(200)
    })
  },
  { TRUST_PROXY: 'on' },
)

describe.each(Object.keys(stacks) as (keyof typeof stacks)[])('three workers, %s', (stack) => {
  it('hears each click once, whichever worker counts it, and ends at SIGTERM', async () => {
    const waymark = await startWaymark({ ...(await stacks[stack]()), WORKERS: '3', TRUST_PROXY: 'on' })
    try {
      const account = await waymark.account()
      const { short_url } = await makeLink(waymark, account)
      const stream = await listen(waymark, account)
      // New connections go to the workers in no order; enough of them reach every one.
      const headers = { ...VISITOR, connection: 'close' }
      for (let n = 0; n < 24; n++) await fetch(short_url, { redirect: 'manual', headers })
      await expect.poll(() => clicksIn(stream.text()).length, { timeout: PAST_2_S }).toBe(24)
      expect(await waymark.end('SIGTERM')).toBe(0)
      await stream.ended
      expect(clicksIn(stream.text())).toHaveLength(24)
    } finally {
      await waymark.stop()
    }
  })

  it('hears the clicks that a worker counts from its first moment, also one that replaces another', async () => {
    const waymark = await startWaymark({ ...(await stacks[stack]()), WORKERS: '3', TRUST_PROXY: 'on' })
    try {
      await expect.poll(() => waymark.output(), { timeout: PAST_2_S }).toContain('Waymark is at')
      const account = await waymark.account()
      const { short_url } = await makeLink(waymark, account)
      const stream = await listenWhileOneIsReplaced(waymark, account)
      const headers = { ...VISITOR, connection: 'close' }
      let redirected = 0
      // Until the new worker has served for a while, and longer than it takes for the others to repeat who listens.
      for (const end = Date.now() + 5_000; Date.now() < end; await delay(20))
        if ((await fetch(short_url, { redirect: 'manual', headers })).status === 302) redirected++
      expect(await workersOf(waymark)).toHaveLength(3)
      await expect.poll(() => clicksIn(stream.text()).length, { timeout: PAST_2_S }).toBe(redirected)
    } finally {
      await waymark.stop()
    }
  })
})

const workersOf = async ({ pid }: Waymark): Promise<number[]> => {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return children.trim().split(' ').map(Number)
}

/** A stream of a worker that stays, at the moment at which another one has been killed. */
async function listenWhileOneIsReplaced(waymark: Waymark, account: Account): Promise<Stream> {
  // As many as an account may have, so that some are with a worker that stays.
  const streams = await Promise.all(Array.from({ length: 10 }, () => listen(waymark, account)))
  const [worker = 0] = await workersOf(waymark)
  process.kill(worker, 'SIGKILL')
  await expect.poll(() => workersOf(waymark), { timeout: PAST_2_S }).not.toContain(worker)
  for (const stream of streams)
    if (!(await Promise.race([stream.ended.then(() => true), delay(100, false)]))) return stream
  throw new Error('every stream was with the worker that was killed')
}
