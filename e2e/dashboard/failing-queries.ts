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
/** An attempt and the three retries of the SDK, and all of it once more when the server is found to be up. */
export const MAX_REQUESTS = 8

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

/**
 * Opens a screen while one of its queries fails; returns how often the same was requested until `isOver`, by default for
 * some seconds, in which the server is found to be up and asked once more.
 */
export async function requestsWhileFailing(
  page: Page,
  path: string,
  query: string,
  fault: Fault,
  isOver: () => Promise<unknown> = () => page.waitForTimeout(WATCHED_MS),
): Promise<number> {
  const requests = new Map<string, number>()
  const isQuery = (url: URL): boolean => url.pathname === query
  await page.route(isQuery, (route) => {
    const url = route.request().url()
    requests.set(url, (requests.get(url) ?? 0) + 1)
    return fail(route, fault)
  })
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await isOver()
  await page.unroute(isQuery)
  return Math.max(0, ...requests.values())
}
