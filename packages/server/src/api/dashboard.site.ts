import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import { sites } from '@waymark/contract'
import type { FastifyInstance } from 'fastify'
import { sendHtml } from '../runtime/html.ts'

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

const NOT_BUILT = '<!doctype html><title>Waymark</title><p>The dashboard is not built: run npm run build.</p>'

/** The dashboard: files with a hash in their name for ever, and one page for every address below it. */
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
        decorateReply: false,
        preCompressed: true,
      })
    }
    const page = async (): Promise<string> =>
      isBuilt ? readFile(join(distDir, 'index.html'), 'utf8') : NOT_BUILT
    for (const path of [sites.dashboard, `${sites.dashboard}/*`]) {
      app.get(path, async (_request, reply) =>
        sendHtml(reply.header('cache-control', 'no-cache'), 200, await page(), CSP),
      )
    }
    app.get('/', (_request, reply) => reply.redirect(sites.dashboard))
  }
