import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { sites } from '@waymark/contract'
import type { JsonSchema } from '@waymark/contract/schemas'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { sendHtml } from '../../runtime/html.ts'
import { docsStyle } from './docs-style.ts'
import { type DocsFile, DocsPages } from './pages.ts'

const styleHash = createHash('sha256').update(docsStyle).digest('base64')
/** Scripts and requests of this instance alone: searching, and trying operations. */
const CSP = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const TYPES: Readonly<Record<Exclude<DocsFile['type'], 'html'>, string>> = {
  markdown: 'text/markdown; charset=utf-8',
  text: 'text/plain; charset=utf-8',
  json: 'application/json',
}

/** The description, made in a thread: it would hold up redirects for about half a second. */
const describeInThread = (baseUrl: string): Promise<JsonSchema> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./description-worker.ts', import.meta.url), { workerData: baseUrl })
    worker.once('message', resolve)
    worker.once('error', reject)
    // Does nothing once a message has come.
    worker.once('exit', () => reject(new Error('The operations were not described')))
  })

const make = async (baseUrl: string, script: string | undefined) => {
  const description = await describeInThread(baseUrl)
  return {
    openapi: Buffer.from(JSON.stringify(description)),
    pages: new DocsPages(description, baseUrl, script),
  }
}

const sendFile = (reply: FastifyReply, { type, bytes }: DocsFile): FastifyReply => {
  reply.header('cache-control', 'no-cache')
  if (type === 'html') return sendHtml(reply, 200, bytes, CSP)
  return reply.header('content-type', TYPES[type]).header('x-content-type-options', 'nosniff').send(bytes)
}

/** Path of the script, which is built with the dashboard. Without it only searching and trying are missing. */
const scriptIn = (distDir: string): string | undefined => {
  const folder = join(distDir, 'assets')
  const name = existsSync(folder)
    ? readdirSync(folder).find((file) => /^docs-[0-9a-f]+\.js$/.test(file))
    : undefined
  return name === undefined ? undefined : `${sites.dashboard}/assets/${name}`
}

/** The description of the operations, for machines and for people. */
export const docsSite =
  (baseUrl: string, distDir: string) =>
  (app: FastifyInstance): void => {
    // Made for the first request, and once for all that wait for it; a failure is not kept.
    let made: ReturnType<typeof make> | undefined
    const documents = () => {
      made ??= make(baseUrl, scriptIn(distDir)).catch((error: unknown) => {
        made = undefined
        throw error
      })
      return made
    }
    const headers = {
      'content-type': 'application/json',
      'cache-control': 'no-cache',
      'access-control-allow-origin': '*',
    }
    const find = async (reply: FastifyReply, path: string): Promise<FastifyReply> => {
      const file = (await documents()).pages.find(path)
      if (file !== undefined) return sendFile(reply, file)
      reply.callNotFound()
      return reply
    }
    app.get(sites.openapi, async (_request, reply) =>
      reply.headers(headers).send((await documents()).openapi),
    )
    app.get(sites.docs, (_request, reply) => find(reply, ''))
    app.get(sites.llms, (_request, reply) => find(reply, '/llms.txt'))
    app.get<{ Params: { '*': string } }>(`${sites.docs}/*`, (request, reply) =>
      find(reply, `/${request.params['*'].replace(/\/$/, '')}`.replace(/^\/$/, '')),
    )
  }
