import { beforeAll, describe, expect, it } from 'vitest'
import { png } from './support/pictures.ts'
import { answered, get, json, multipart, post, urlencoded } from './support/requests.ts'
import { forEachStack } from './support/stacks.ts'
import { newEmail, Visitor } from './support/visitors.ts'
import type { Account } from './support/waymark.ts'

const link = { link: 'https://example.com/' }
let keys = 0
const newKey = (): string => `key-${++keys}-${Math.random()}`

forEachStack((waymark) => {
  let account: Account
  beforeAll(async () => {
    account = await waymark().account()
  })
  const send = (path: string, body: Parameters<typeof post>[3], key: string, who = account) =>
    post(waymark(), who, path, body, { 'idempotency-key': key })
  const count = async (who = account): Promise<number> =>
    (await get(waymark(), who, '/v1/links?limit=1')).body.meta.total

  describe('the same request again', () => {
    it('gets the first answer again, and nothing happens twice', async () => {
      const [key, before] = [newKey(), await count()]
      const first = await send('/v1/generate-link', link, key)
      expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([201, null])
      const second = await send('/v1/generate-link', link, key)
      expect([second.status, second.body, second.headers.get('idempotent-replayed')]).toEqual([
        201,
        first.body,
        'true',
      ])
      expect(await count()).toBe(before + 1)
    })

    it('is one and the same even when it is sent ten times at once', async () => {
      const [key, before] = [newKey(), await count()]
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => send('/v1/generate-link', link, key)),
      )
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 201))
      expect(new Set(answers.map(({ body }) => body.data.uuid)).size).toBe(1)
      expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1)
      expect(await count()).toBe(before + 1)
    })

    it('covers a code together with its short link', async () => {
      const [key, before] = [newKey(), await count()]
      const fields = { url: 'https://example.com', pattern: 'dots', dynamic: true }
      const answers = await Promise.all(Array.from({ length: 5 }, () => send('/v1/generate-qr', fields, key)))
      expect(new Set(answers.map(({ body }) => body.data.uuid)).size).toBe(1)
      expect(await count()).toBe(before + 1)
    })

    it('outlives a restart', async () => {
      const key = newKey()
      const first = await send('/v1/generate-link', link, key)
      await waymark().end('SIGKILL')
      await waymark().restart()
      expect((await send('/v1/generate-link', link, key)).body).toEqual(first.body)
    })

    it('a killed server leaves no change without its entry in the audit log, and no entry without its change', async () => {
      const killing = new AbortController()
      const write = async (): Promise<void> => {
        while (!killing.signal.aborted) await send('/v1/generate-link', link, newKey()).catch(() => undefined)
      }
      const writers = Array.from({ length: 8 }, write)
      const before = await count()
      await expect.poll(() => count(), { timeout: 20_000 }).toBeGreaterThan(before + 30)
      await waymark().end('SIGKILL')
      killing.abort()
      await Promise.all(writers)
      await waymark().restart()
      const all = async (path: string): Promise<{ uuid: string; resources: { uuid: string }[] }[]> =>
        (await get(waymark(), account, path)).body.data
      const links = await all('/v1/links?limit=1000')
      const entries = await all('/v1/audit-log?operation=generateLink&limit=1000')
      const entered = entries.flatMap(({ resources }) => resources.map(({ uuid }) => uuid))
      // Links of codes belong to the entry of their code.
      const created = links.filter((each) => !('owner' in each) || each.owner === null)
      expect(entered.toSorted()).toEqual(created.map(({ uuid }) => uuid).toSorted())
      expect(entered.length).toBeGreaterThan(30)
    })

    it('may carry a picture in parts that come with another boundary', async () => {
      const parts = [
        { name: 'feedback', value: 'fine' },
        { name: 'image', value: png(5), filename: 'x.png' },
      ]
      const key = newKey()
      const first = await send('/v1/add-feedback', multipart(parts, 'one'), key)
      const second = await send('/v1/add-feedback', multipart(parts, 'two'), key)
      expect([first.status, second.body]).toEqual([201, first.body])
      expect(second.headers.get('idempotent-replayed')).toBe('true')
    })
  })

  it('422 for the same key with another payload', async () => {
    const [key, before] = [newKey(), await count()]
    await send('/v1/generate-link', link, key)
    const others = [
      json({ link: 'https://example.com/other' }),
      json(`${JSON.stringify(link)} `),
      urlencoded(link),
    ]
    for (const body of others) {
      const answer = await send('/v1/generate-link', body, key)
      expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([422, null])
      expect(answer.body.error).toMatch(/another payload/)
    }
    expect(await count()).toBe(before + 1)
  })

  it('is kept per user and per operation', async () => {
    const [key, other] = [newKey(), await waymark().account()]
    const mine = await send('/v1/generate-link', link, key)
    const theirs = await send('/v1/generate-link', link, key, other)
    expect(theirs.status).toBe(201)
    expect(theirs.body.data.uuid).not.toBe(mine.body.data.uuid)
    const feedback = await send('/v1/add-feedback', { feedback: 'fine' }, key)
    expect([feedback.status, feedback.headers.get('idempotent-replayed')]).toEqual([201, null])
  })

  it('keeps unsigned requests apart: a public key gives no access to keys of its owner', async () => {
    const [key, before] = [newKey(), await count()]
    const unsigned = (fields: object) =>
      fetch(`${waymark().url}/v1/generate-link`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-api-key': account.apiKey,
          'idempotency-key': key,
        },
        body: JSON.stringify(fields),
      }).then(answered)
    const squatted = await unsigned({ link: 'https://example.com/stranger' })
    const own = await send('/v1/generate-link', link, key)
    expect([squatted.status, own.status, own.headers.get('idempotent-replayed')]).toEqual([201, 201, null])
    expect(own.body.data.link).toBe(link.link)
    const read = await unsigned(link)
    expect([read.status, read.body.error]).toEqual([422, expect.stringMatching(/another payload/)])
    const again = await unsigned({ link: 'https://example.com/stranger' })
    expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([squatted.body, 'true'])
    expect(await count()).toBe(before + 2)
  })

  describe('rejections', () => {
    it('404 and 409 are stored, although the reason is gone meanwhile', async () => {
      const code = `c${Math.random().toString(36).slice(2)}`
      const created = await post(waymark(), account, '/v1/generate-link', { ...link, customLink: code })
      for (const [path, body, status] of [
        ['/v1/restore', { uuids: [created.body.data.uuid] }, 404],
        ['/v1/generate-link', { ...link, customLink: code }, 409],
      ] as const) {
        const key = newKey()
        const first = await send(path, body, key)
        await post(waymark(), account, '/v1/remove-links', { uuid: created.body.data.uuid })
        const second = await send(path, body, key)
        expect([first.status, second.status, second.body]).toEqual([status, status, first.body])
        expect(second.headers.get('idempotent-replayed')).toBe('true')
        await post(waymark(), account, '/v1/restore', { uuids: [created.body.data.uuid] })
      }
    })

    it.each([
      ['400', '{"link":', 400],
      ['422', '{"link":"nowhere"}', 422],
      [
        '422 of a field that is checked against stored data',
        '{"link":"https://a.example","domain":"b.example"}',
        422,
      ],
    ])('%s leaves the key unused', async (_, body, status) => {
      const key = newKey()
      const first = await send('/v1/generate-link', json(body), key)
      const corrected = await send('/v1/generate-link', link, key)
      expect([first.status, corrected.status]).toEqual([status, 201])
      expect(corrected.headers.get('idempotent-replayed')).toBe(null)
    })

    it('401 is not kept: the right signature gets its own answer', async () => {
      const key = newKey()
      const forged = { 'idempotency-key': key, 'x-signature': 'f'.repeat(64) }
      expect((await post(waymark(), account, '/v1/add-feedback', { feedback: 'fine' }, forged)).status).toBe(
        401,
      )
      expect((await send('/v1/add-feedback', { feedback: 'fine' }, key)).status).toBe(201)
    })

    it('422 for a key that is empty or over 255 characters', async () => {
      for (const key of ['', 'x'.repeat(256)])
        expect((await send('/v1/generate-link', link, key)).body.errors).toEqual({
          'Idempotency-Key': [expect.any(String)],
        })
      expect((await send('/v1/generate-link', link, 'y'.repeat(255))).status).toBe(201)
    })
  })

  it('keeps no answer that holds a secret', async () => {
    const visitor = new Visitor(waymark())
    await visitor.signUp(newEmail())
    const key = newKey()
    const first = await visitor.post('/v1/generate-key', { name: 'one' }, { 'idempotency-key': key })
    const second = await visitor.post('/v1/generate-key', { name: 'one' }, { 'idempotency-key': key })
    expect([first.status, second.status, second.headers['idempotent-replayed']]).toEqual([
      201,
      201,
      undefined,
    ])
    expect(second.body.data.secret).not.toBe(first.body.data.secret)
  })

  it('means nothing on reads', async () => {
    const key = { 'idempotency-key': newKey() }
    await get(waymark(), account, '/v1/links', key)
    expect((await get(waymark(), account, '/v1/links', key)).headers.get('idempotent-replayed')).toBe(null)
  })
})
