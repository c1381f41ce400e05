import type { IncomingMessage } from 'node:http'
import type { AddressReader } from '../../net/client-address.ts'
import { writeNotice } from '../notices/send-notice.ts'
import { type Exchange, METHODS, type Route, route } from '../router.ts'
import type { VisitForm } from '../site.ts'
import type { AnswerVisit } from './link-visits.ts'
import { queryOf, readShortCodePath } from './target-path.ts'

interface VisitRouteDependencies {
  readonly answerVisit: AnswerVisit
  readonly isRouted: (word: string) => boolean
  readonly addressOf: AddressReader
  /** Left out in the visitors' half, which reads no bodies. */
  readonly readForm?: (request: IncomingMessage) => Promise<VisitForm>
}

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD'

/** Visits that the fast path does not handle: passwords, click limits, and `code+` to preview the destination. */
export function visitRoutes({ answerVisit, isRouted, addressOf, readForm }: VisitRouteDependencies): Route[] {
  const handle = async ({ request, response, notFound, passOn }: Exchange): Promise<void> => {
    const { method = 'GET', url = '', headers } = request
    const path = readShortCodePath(url)
    // Before the body is read: an unknown path is 404, however long its body is.
    if (path === null || isRouted(path.shortCode)) return notFound()
    if (readForm === undefined && !isRead(method)) return passOn()
    const form = method === 'POST' ? await readForm?.(request) : undefined
    const visit = { method, path, query: queryOf(url), headers, address: addressOf(request) }
    const notice = await answerVisit({ ...visit, password: form?.password, reason: form?.reason })
    if (notice === undefined) return passOn()
    writeNotice(request, response, notice)
  }
  // With all methods, to distinguish an existing link from an unknown path.
  return ['/:code', '/:code/*'].map((path) => route(METHODS, path, handle))
}
