import { operations } from './table.ts'

/**
 * The first path segment of everything the server answers besides short codes and the operations. The server
 * registers its routes from here, so what is reserved and what is routed cannot drift apart.
 */
export const sites = {
  dashboard: '/app',
  docs: '/docs',
  openapi: '/openapi.json',
  page: '/p',
  picture: '/i',
  media: '/m',
  preview: '/o',
  event: '/e',
  invoice: '/invoice',
  live: '/livez',
  ready: '/readyz',
  metrics: '/metrics',
  robots: '/robots.txt',
  favicon: '/favicon.ico',
  wellKnown: '/.well-known',
} as const

const firstSegment = (path: string): string => path.split('/')[1] ?? ''

const reservedWords: ReadonlySet<string> = new Set(
  [...Object.values(sites), ...Object.values(operations).map((operation) => operation.path)].map(
    firstSegment,
  ),
)

/** Whether a word is taken by the server's own routes, and so can be neither a short code nor a page's slug. */
export const isReserved = (word: string): boolean => reservedWords.has(word.toLowerCase())
