import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import { sites } from '@waymark/contract'
import type { FastifyInstance } from 'fastify'
import { htmlHeaders } from '../visitors/site.ts'

const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

const NOT_BUILT = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Waymark: dashboard not built</title>
<h1>The dashboard is not built</h1>
<p>The API, short links and pages work. To build the dashboard, run <code>npm ci --include=dev &amp;&amp; npm run build</code> in the folder of Waymark, then restart it.</p>
</html>
`

/** Packages give every file the same date, and the next release's page may have the same size: neither shows a change. */
const ALWAYS_WHOLE = { cacheControl: false, etag: false, lastModified: false }

/**
 * The dashboard: files with a hash in their name, cached permanently, and one page for all other addresses. An installation
 * without development dependencies has none until it is built.
 */
export const dashboardSite =
  (distDir: string) =>
  (app: FastifyInstance): void => {
    const isBuilt = existsSync(join(distDir, 'index.html'))
    if (isBuilt) {
      app.register(fastifyStatic, {
        root: join(distDir, 'assets'),
        prefix: `${sites.dashboard}/assets/`,
        immutable: true,
        maxAge: '365d',
        index: false,
        preCompressed: true,
      })
    }
    for (const path of [sites.dashboard, `${sites.dashboard}/*`]) {
      app.get(path, (_request, reply) => {
        reply.headers({ ...htmlHeaders(CSP), 'cache-control': 'no-cache' })
        return isBuilt ? reply.sendFile('index.html', distDir, ALWAYS_WHOLE) : reply.code(503).send(NOT_BUILT)
      })
    }
    app.get('/', (_request, reply) => reply.redirect(sites.dashboard))
  }
