import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AddressReader } from '../../runtime/client-address.ts'
import { STRANGER_LIMITS } from '../../api/body/body-limits.ts'
import { parseBody } from '../../api/body/parse-body.ts'
import { readBody } from '../../api/body/read-body.ts'
import { sendNotice } from '../notices/send-notice.ts'
import type { AnswerVisit } from './link-visits.ts'

/** A form with one password in it, or with a report. */
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

/** Visits that the hot path leaves: passwords, devices, limits of clicks, and `code+` to see where a link leads. */
export const visitSite =
  (answerVisit: AnswerVisit, addressOf: AddressReader, tempDir: string) =>
  (app: FastifyInstance): void => {
    app.route({
      // No link takes the last ones: they are routed so that a link is told from nothing.
      method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
      url: '/:code',
      handler: async (request, reply) => {
        const { method, url = '', headers } = request.raw
        const { password, reason } = await formOf(request, tempDir)
        const address = addressOf(request.raw)
        const visit = { method: method ?? 'GET', url, headers, address, password, reason }
        const answer = await answerVisit(visit)
        if (answer === null) return reply.callNotFound()
        return sendNotice(reply, answer)
      },
    })
  }
