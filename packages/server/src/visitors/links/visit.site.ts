import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AddressReader } from '../../net/client-address.ts'
import { STRANGER_LIMITS } from '../../api/body/body-limits.ts'
import { parseBody } from '../../api/body/parse-body.ts'
import { readBody } from '../../api/body/read-body.ts'
import { sendNotice } from '../notices/send-notice.ts'
import type { AnswerVisit } from './link-visits.ts'
import { queryOf, readShortCodePath } from './target-path.ts'

/** A form with one password, or with a report. */
const FORM_LIMITS = { ...STRANGER_LIMITS, rawBytes: 4096, multipartBytes: 4096 }

interface Form {
  readonly password?: string
  readonly reason?: string
}

const formOf = async (request: FastifyRequest, tempDir: string): Promise<Form> => {
  if (request.method !== 'POST') return {}
  const raw = await readBody(request.raw, request.headers, FORM_LIMITS, tempDir)
  try {
    const { password, reason } = parseBody(raw)
    return {
      ...(typeof password === 'string' && { password }),
      ...(typeof reason === 'string' && { reason }),
    }
  } finally {
    await raw.dispose()
  }
}

/** Visits that the fast path does not handle: passwords, click limits, and `code+` to preview the destination. */
export const visitSite =
  (
    answerVisit: AnswerVisit,
    isRouted: (word: string) => boolean,
    addressOf: AddressReader,
    tempDir: string,
  ) =>
  (app: FastifyInstance): void => {
    const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
      const { method, url = '', headers } = request.raw
      const path = readShortCodePath(url)
      // Before the body is read: an unknown path is 404, however long its body is.
      if (path === null || isRouted(path.shortCode)) return reply.callNotFound()
      const { password, reason } = await formOf(request, tempDir)
      const address = addressOf(request.raw)
      const visit = { method: method ?? 'GET', path, query: queryOf(url), headers, address, password, reason }
      return sendNotice(reply, await answerVisit(visit))
    }
    // Links reject the last ones: they are routed to distinguish an existing link from an unknown path.
    const method = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
    for (const url of ['/:code', '/:code/*']) app.route({ method, url, handler })
  }
