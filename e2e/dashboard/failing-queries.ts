/// <reference lib="dom" />
import type { Page, Route } from 'playwright-core'

/** How a query fails: the server says that it is unavailable, or does not answer at all. */
export const faults = ['unavailable', 'unreachable'] as const
export type Fault = (typeof faults)[number]

const fail = (route: Route, fault: Fault): Promise<void> =>
  fault === 'unreachable'
    ? route.abort('connectionrefused')
    : route.fulfill({ status: 503, json: { error: 'The database is unavailable' } })

const WATCHED_MS = 6_000
/** An attempt and the three retries of the SDK, for each of two parts of a screen that ask for the same. */
export const MOST_REQUESTS = 8

/** Reads of the API that a screen makes, by path. Streams are no queries, and without a profile there is no screen. */
export async function queriesOf(page: Page, path: string): Promise<string[]> {
  const seen = new Set<string>()
  const note = (request: { url(): string; method(): string }): void => {
    const { pathname } = new URL(request.url())
    if (request.method() === 'GET' && pathname.startsWith('/v1/')) seen.add(pathname)
  }
  page.on('request', note)
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  page.off('request', note)
  return [...seen].filter((query) => !['/v1/profile', '/v1/live'].includes(query))
}

/** Opens a screen while one of its queries fails; returns how often that was requested until the screen is quiet. */
export async function requestsWhileFailing(
  page: Page,
  path: string,
  query: string,
  fault: Fault,
): Promise<number> {
  let requests = 0
  const isQuery = (url: URL): boolean => url.pathname === query
  await page.route(isQuery, (route) => {
    requests++
    return fail(route, fault)
  })
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForTimeout(WATCHED_MS)
  await page.unroute(isQuery)
  return requests
}
