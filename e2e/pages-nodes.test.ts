import { afterAll, beforeAll, expect, it } from 'vitest'
import { leastNested, newSlug, until } from './support/pages.ts'
import { post } from './support/requests.ts'
import { servers } from './support/stacks.ts'
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
