import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AddressReader } from '../../runtime/client-address.ts'
import { STRANGER_LIMITS } from '../../api/body/body-limits.ts'
import { parseBody } from '../../api/body/parse-body.ts'
import { readBody } from '../../api/body/read-body.ts'
import { sendNotice } from '../notices/send-notice.ts'
import type { AnswerVisit } from './link-visits.ts'

/** A form with one password in it. */
const FORM_LIMITS = { ...STRANGER_LIMITS, rawBytes: 4096, multipartBytes: 4096 }

const passwordOf = async (request: FastifyRequest, tempDir: string): Promise<string | undefined> => {
  if (request.method !== 'POST') return undefined
  const raw = await readBody(request.raw, request.headers, FORM_LIMITS, tempDir)
  try {
    const { password } = parseBody(raw)
    return typeof password === 'string' ? password : undefined
  } finally {
    await raw.dispose()
  }
}

/** Visits that the hot path leaves: passwords, devices, limits of clicks, and `code+` to see where a link leads. */
export const visitSite =
  (answerVisit: AnswerVisit, addressOf: AddressReader, tempDir: string) =>
  (app: FastifyInstance): void => {
    app.route({
      method: ['GET', 'POST'],
      url: '/:code',
      handler: async (request, reply) => {
        const { method, url = '', headers } = request.raw
        const password = await passwordOf(request, tempDir)
        const visit = { method: method ?? 'GET', url, headers, address: addressOf(request.raw), password }
        const answer = await answerVisit(visit)
        if (answer === null) return reply.callNotFound()
        return sendNotice(reply, answer)
      },
    })
  }
