/**
 * The first path segment of everything the server serves besides short codes and the operations. The server
 * registers its routes from here, so what is reserved and what is routed cannot drift apart.
 */
export const sites = {
  dashboard: '/app',
  docs: '/docs',
  openapi: '/openapi.json',
  llms: '/llms.txt',
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
