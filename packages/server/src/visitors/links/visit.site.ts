import type { IncomingMessage } from 'node:http'
import type { AddressReader } from '../../net/client-address.ts'
import { STRANGER_LIMITS } from '../../api/body/body-limits.ts'
import { parseBody } from '../../api/body/parse-body.ts'
import { readBody } from '../../api/body/read-body.ts'
import { writeNotice } from '../notices/send-notice.ts'
import { type Exchange, METHODS, type Route, route } from '../router.ts'
import type { AnswerVisit } from './link-visits.ts'
import { queryOf, readShortCodePath } from './target-path.ts'

/** A form with one password, or with a report. */
const FORM_LIMITS = { ...STRANGER_LIMITS, rawBytes: 4096, multipartBytes: 4096 }

interface Form {
  readonly password?: string
  readonly reason?: string
}

const formOf = async (request: IncomingMessage, tempDir: string): Promise<Form> => {
  if (request.method !== 'POST') return {}
  const raw = await readBody(request, request.headers, FORM_LIMITS, tempDir)
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
export function visitRoutes(
  answerVisit: AnswerVisit,
  isRouted: (word: string) => boolean,
  addressOf: AddressReader,
  tempDir: string,
): Route[] {
  const handle = async ({ request, response, notFound }: Exchange): Promise<void> => {
    const { method = 'GET', url = '', headers } = request
    const path = readShortCodePath(url)
    // Before the body is read: an unknown path is 404, however long its body is.
    if (path === null || isRouted(path.shortCode)) return notFound()
    const { password, reason } = await formOf(request, tempDir)
    const address = addressOf(request)
    const visit = { method, path, query: queryOf(url), headers, address, password, reason }
    writeNotice(request, response, await answerVisit(visit))
  }
  // With all methods, to distinguish an existing link from an unknown path.
  return ['/:code', '/:code/*'].map((path) => route(METHODS, path, handle))
}
