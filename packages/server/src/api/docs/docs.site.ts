import { createHash } from 'node:crypto'
import { sites } from '@waymark/contract'
import type { FastifyInstance } from 'fastify'
import { sendHtml } from '../../runtime/html.ts'
import { describeOperations } from '../openapi.ts'
import { renderDocs } from './docs-page.ts'
import { docsStyle } from './docs-style.ts'

const styleHash = createHash('sha256').update(docsStyle).digest('base64')
const CSP = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

const make = (baseUrl: string) => {
  const description = describeOperations(baseUrl)
  return { json: Buffer.from(JSON.stringify(description)), page: Buffer.from(renderDocs(description)) }
}

/** The description of the operations, for machines and for people. */
export const docsSite =
  (baseUrl: string) =>
  (app: FastifyInstance): void => {
    // Built on the first request: describing all operations would slow down the start.
    let made: { json: Buffer; page: Buffer } | undefined
    const documents = () => (made ??= make(baseUrl))
    const headers = {
      'content-type': 'application/json',
      'cache-control': 'no-cache',
      'access-control-allow-origin': '*',
    }
    app.get(sites.openapi, (_request, reply) => reply.headers(headers).send(documents().json))
    app.get(sites.docs, (_request, reply) =>
      sendHtml(reply.header('cache-control', 'no-cache'), 200, documents().page, CSP),
    )
  }
