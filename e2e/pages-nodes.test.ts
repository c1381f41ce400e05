import { afterAll, beforeAll, expect, it } from 'vitest'
import { leastNested, newSlug, until } from './support/pages.ts'
import { get, post } from './support/requests.ts'
import { servers } from './support/stacks.ts'
import { newEmail, Visitor } from './support/visitors.ts'
import { type Account, startWaymark, type Waymark } from './support/waymark.ts'

let [one, two]: Waymark[] = []
let account: Account

beforeAll(async () => {
  const settings = { ...(await servers()), BASE_URL: 'http://way.example' }
  one = await startWaymark(settings)
  two = await startWaymark(settings)
  account = await one.account()
})
afterAll(async () => {
  await one?.stop()
  await two?.stop()
})

const nodes = (): [Waymark, Waymark] => {
  if (one === undefined || two === undefined) throw new Error('not started yet')
  return [one, two]
}

it('a page that is made, edited, moved or removed on one node is so on the other', async () => {
  const [here, there] = nodes()
  const [slug, next] = [newSlug(), newSlug()]
  const visit = async (path: string) => {
    const response = await fetch(`${there.url}${path}`, { redirect: 'manual' })
    return {
      status: response.status,
      location: response.headers.get('location'),
      html: await response.text(),
    }
  }
  const untilThere = (path: string, isRight: (answer: Awaited<ReturnType<typeof visit>>) => boolean) =>
    until(() => visit(path), isRight)
  const write = (path: string, fields: Record<string, unknown>) => post(here, account, path, fields)
  const least = { ...leastNested(slug), domain: 'way.example' }

  expect((await visit(`/p/${slug}`)).status).toBe(404)
  const { uuid } = (await write('/v1/generate-page', { ...least, title: 'First' })).body.data
  expect((await untilThere(`/p/${slug}`, ({ status }) => status === 200)).html).toContain('First')

  await write('/v1/edit-page', { ...least, uuid, title: 'Second' })
  expect((await untilThere(`/p/${slug}`, ({ html }) => html.includes('Second'))).html).toContain('Second')

  await write('/v1/edit-page', { ...least, uuid, slug: next })
  expect((await untilThere(`/p/${slug}`, ({ status }) => status === 301)).location).toBe(
    `http://way.example/p/${next}`,
  )
  expect((await visit(`/p/${next}`)).status).toBe(200)

  await write('/v1/remove-page', { uuid })
  for (const path of [`/p/${slug}`, `/p/${next}`])
    expect((await untilThere(path, ({ status }) => status === 410)).status).toBe(410)
})

it('a member, a key and a token that are removed on one node are gone on the other', async () => {
  const [here, there] = nodes()
  const [owner, member] = [new Visitor(here), new Visitor(here)]
  const email = newEmail()
  await owner.signUp(newEmail())
  await member.signUp(email)
  const { uuid: workspace } = (await owner.get('/v1/workspaces')).body.data[0]
  const { uuid } = (await member.get('/v1/workspaces')).body.data[0]
  const { data } = (await owner.post('/v1/invite-member', { email, role: 'admin' })).body
  await member.post('/v1/accept-invitation', { token: new URL(data.invite_url).searchParams.get('token') })
  const { data: key } = (await owner.post('/v1/generate-key', {})).body
  const { data: token } = (await owner.post('/v1/generate-token', {})).body
  const asked = async (headers: Record<string, string>) =>
    (await fetch(`${there.url}/v1/links`, { headers })).status
  const credentials = {
    member: { cookie: member.cookie ?? '', 'x-workspace': workspace },
    key: { 'x-api-key': key.api_key },
    token: { authorization: `Bearer ${token.token}` },
  }
  // The other node has all of them in its caches.
  for (const headers of Object.values(credentials)) expect(await asked(headers)).toBe(200)
  const gone = async (which: keyof typeof credentials, status: number, path: string, body: object) => {
    expect((await owner.post(path, body)).status).toBe(200)
    const removedAt = performance.now()
    await expect.poll(() => asked(credentials[which]), { timeout: 20_000, interval: 20 }).toBe(status)
    console.log(`${which} gone on the other node after ${(performance.now() - removedAt).toFixed(0)} ms`)
  }
  await gone('member', 404, '/v1/remove-member', { uuid })
  await gone('key', 401, '/v1/remove-key', { uuid: key.uuid })
  await gone('token', 401, '/v1/remove-token', { uuid: token.uuid })
})

it('what is removed on one node is restored on the other, and back in use on both', async () => {
  const [here, there] = nodes()
  const untilBoth = async (path: string, status: number): Promise<void> => {
    for (const { url } of [here, there]) {
      const visit = async (): Promise<number> =>
        (await fetch(url + path, { redirect: 'manual', method: 'HEAD' })).status
      await expect.poll(visit, { interval: 20 }).toBe(status)
    }
  }
  const slug = newSlug()
  const page = (
    await post(here, account, '/v1/generate-page', { ...leastNested(slug), domain: 'way.example' })
  ).body.data
  const link = (await post(there, account, '/v1/generate-link', { link: 'https://example.com/' })).body.data
  const uuids = [page.uuid, link.uuid] as string[]
  await untilBoth(`/p/${slug}`, 200)
  await untilBoth(`/${link.code}`, 302)

  await post(here, account, '/v1/remove-page', { uuid: page.uuid })
  await post(here, account, '/v1/remove-links', { uuid: link.uuid })
  await untilBoth(`/p/${slug}`, 410)
  await untilBoth(`/${link.code}`, 410)
  const trash = (await get(there, account, '/v1/trash')).body.data as { uuid: string }[]
  expect(trash.map(({ uuid }) => uuid)).toEqual(expect.arrayContaining(uuids))

  // Of two at once one restores them: the trash is the same on every node.
  const restored = await Promise.all(
    [here, there].map((node) => post(node, account, '/v1/restore', { uuids })),
  )
  expect(new Set(restored.map(({ status }) => status))).toEqual(new Set([200, 404]))
  await untilBoth(`/p/${slug}`, 200)
  await untilBoth(`/${link.code}`, 302)
})
