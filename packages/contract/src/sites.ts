/**
 * The first path segment of everything that the server serves besides short codes and operations. The server registers its
 * routes from here, so that reserved words and routes cannot diverge.
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
