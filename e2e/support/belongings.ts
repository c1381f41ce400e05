import assert from 'node:assert/strict'
import { get, multipart, post } from './requests.ts'
import { leastNested, picture, upload } from './pages.ts'
import type { Account, Waymark } from './waymark.ts'

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

const LISTS = ['links', 'qrcode', 'barcode', 'utm', 'pages', 'webhooks', 'domains', 'trash', 'profile'].map(
  (name) => `/v1/${name}`,
)

/** Every instance has the same public address, whatever its port, so that all of them show the same. */
export const BASE_URL = 'http://localhost'

/** One of each kind of resource, some clicks, and something in the trash. */
export async function createBelongings(waymark: Waymark, account: Account): Promise<void> {
  const create = async (path: string, body: Parameters<typeof post>[3]): Promise<Record<string, string>> => {
    const { status, body: answer } = await post(waymark, account, path, body)
    assert.equal(status, 201, `${path}: ${JSON.stringify(answer)}`)
    return answer.data as Record<string, string>
  }
  const link = await create('/v1/generate-link', {
    link: 'https://example.com/kept',
    customLink: 'kept',
    tags: ['first', 'second'],
    rules: [{ if: { country: ['DE'] }, to: 'https://example.com/de' }],
  })
  const removed = await create('/v1/generate-link', { link: 'https://example.com/removed' })
  await create('/v1/generate-qr', multipart([...qrFields, upload('logo', await picture())]))
  await create('/v1/generate-barcode', { url: 'https://example.com/bars' })
  const tags = { source: 'news', medium: 'mail', campaign: 'may', content: 'button' }
  await create('/v1/generate-utm', { url: 'https://example.com/', ...tags, shorten: true })
  await create('/v1/generate-page', leastNested('kept-page'))
  // Of an event that does not come up: no delivery is on its way while the data is kept.
  await create('/v1/add-webhook', { url: 'https://hooks.example.com/in', events: ['utm.removed'] })
  const { status } = await post(waymark, account, '/v1/remove-links', { uuid: removed['uuid'] })
  assert.equal(status, 200)
  await visit(waymark, 'kept')
  await untilClicks(waymark, account, link['uuid'] ?? '', 1)
}

const qrFields = [
  { name: 'url', value: 'https://example.com/scan' },
  { name: 'pattern', value: 'squares' },
  { name: 'dynamic', value: 'true' },
]

export async function visit(waymark: Pick<Waymark, 'url'>, code: string): Promise<void> {
  const { status, headers } = await fetch(`${waymark.url}/${code}`, {
    redirect: 'manual',
    headers: { 'user-agent': BROWSER },
  })
  assert.equal(status, 302, `/${code} on ${waymark.url}`)
  assert.match(headers.get('location') ?? '', /^https:\/\/example\.com\//)
}

/** Everything that the account has, as the API shows it. */
export async function readBelongings(waymark: Waymark, account: Account): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {}
  for (const path of LISTS) {
    const { status, body } = await get(waymark, account, path)
    assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`)
    found[path] = body.data
  }
  return found
}

/** Waits for the clicks of a link to reach a count. */
export async function untilClicks(
  waymark: Waymark,
  account: Account,
  uuid: string,
  clicks: number,
): Promise<void> {
  const deadline = Date.now() + 60_000
  for (;;) {
    const { body } = await get(waymark, account, `/v1/links?uuid=${uuid}`)
    if (body.data[0]?.clicks === clicks) return
    if (Date.now() > deadline)
      throw new Error(`${uuid} has ${body.data[0]?.clicks} clicks in place of ${clicks}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
