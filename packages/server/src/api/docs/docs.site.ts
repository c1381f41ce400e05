import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sites } from '@waymark/contract'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { sendHtml } from '../../runtime/html.ts'
import { describeOperations } from '../openapi.ts'
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

const make = (baseUrl: string, script: string | undefined) => {
  const description = describeOperations(baseUrl)
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
    // Built on the first request: describing all operations would slow down the start.
    let made: ReturnType<typeof make> | undefined
    const documents = () => (made ??= make(baseUrl, scriptIn(distDir)))
    const headers = {
      'content-type': 'application/json',
      'cache-control': 'no-cache',
      'access-control-allow-origin': '*',
    }
    const find = (reply: FastifyReply, path: string): FastifyReply | void => {
      const file = documents().pages.find(path)
      return file === undefined ? reply.callNotFound() : sendFile(reply, file)
    }
    app.get(sites.openapi, (_request, reply) => reply.headers(headers).send(documents().openapi))
    app.get(sites.docs, (_request, reply) => find(reply, ''))
    app.get(sites.llms, (_request, reply) => find(reply, '/llms.txt'))
    app.get<{ Params: { '*': string } }>(`${sites.docs}/*`, (request, reply) =>
      find(reply, `/${request.params['*'].replace(/\/$/, '')}`.replace(/^\/$/, '')),
    )
  }
