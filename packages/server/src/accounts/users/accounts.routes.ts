import { sites } from '@waymark/contract'
import type { FastifyInstance } from 'fastify'
import { created, done, finished, listed, on, type Routes } from '../../api/routes.ts'
import type { Caller } from '../../net/caller.ts'
import { invalidFields } from '../../net/errors.ts'
import type { KnownBrowsers } from '../known-browsers.ts'
import type { AccountService } from './accounts.service.ts'
import type { InvoiceService } from './invoices.service.ts'
import type { RemovalService } from './removal.service.ts'

/** A type with a weight of 0 is one that the client does not accept. */
const takesPdf = (accept: string): boolean =>
  accept
    .split(',')
    .some((type) => /^\s*application\/pdf\s*(;|$)/i.test(type) && !/;\s*q=0(\.0*)?\s*(;|$)/i.test(type))

export const accountRoutes = (
  accounts: AccountService,
  invoices: InvoiceService,
  removal: RemovalService,
  erase: (userUuid: string) => Promise<void>,
  browsers: KnownBrowsers,
  replaceSession: (caller: Caller) => Promise<string>,
): Routes => [
  on('currentPlan', ({ caller }) => done('Current plan', accounts.currentPlan(caller))),
  on('downloadInvoice', async ({ caller, query, request }) => {
    if (!takesPdf(request.accept)) return done('Invoice', invoices.get(caller.workspaceUuid, query.number))
    const pdf = await invoices.pdf(caller.workspaceUuid, query.number)
    return { status: 200 as const, payload: pdf, headers: { 'content-type': 'application/pdf' } }
  }),
  on('invoices', ({ caller, query }) => listed('Invoices', invoices.list(caller.workspaceUuid, query))),
  on('profile', ({ caller }) => done('Profile', accounts.get(caller.userUuid))),
  on('updatePersonalInfo', {
    prepare: ({ body }) => accounts.stagePicture(body),
    undo: (picture) => accounts.discardPicture(picture),
    run: ({ caller, body }, picture) =>
      done('Profile updated', accounts.edit(caller.userUuid, body, picture)),
  }),
  on('addFeedback', {
    prepare: ({ body }) => accounts.stagePicture(body),
    undo: (picture) => accounts.discardPicture(picture),
    run: ({ caller, body }, picture) =>
      created('Thank you for your feedback', accounts.addFeedback(caller.userUuid, body.feedback, picture)),
  }),
  on('updatePassword', {
    alsoInvalid: ({ caller, body: { old_password } }) =>
      old_password === undefined
        ? Promise.resolve({})
        : invalidFields(() => accounts.checkPassword(caller.userUuid, old_password, 'old_password')),
    prepare: ({ caller, body }) => accounts.preparePassword(caller.userUuid, body),
    run: async ({ caller, request }, prepared) => {
      const isSession = caller.kind === 'session'
      const kept = { session: isSession ? caller.uuid : undefined, keys: true }
      const reply = await finished('Password changed', accounts.changePassword(prepared, kept))
      if (!isSession) return reply
      // Keeps the browser known: its old cookie was bound to the old password.
      const account = { uuid: caller.userUuid, password_hash: prepared.hash }
      const cookies = [await replaceSession(caller), browsers.cookie(account, request.browserToken)]
      return { ...reply, headers: { 'set-cookie': cookies } }
    },
  }),
  on('removeAccount', {
    prepare: () => Promise.resolve(),
    run: ({ caller, body }) => finished('Account removed', removal.remove(caller.userUuid, body.reason)),
    after: ({ caller }) => erase(caller.userUuid),
  }),
]

/** Serves the PDF of an invoice at a signed link that is valid for a quarter of an hour. */
export const invoiceSite =
  (invoices: InvoiceService) =>
  (app: FastifyInstance): void => {
    app.get<{ Params: { name: string }; Querystring: Record<string, unknown> }>(
      `${sites.invoice}/:name`,
      async (request, reply) => {
        const { expires, signature } = request.query
        const number = /^(INV-\d+)\.pdf$/.exec(request.params.name)?.[1]
        const pdf =
          number === undefined || typeof expires !== 'string' || typeof signature !== 'string'
            ? undefined
            : await invoices.pdfByLink(number, expires, signature)
        if (pdf === undefined) return reply.callNotFound()
        return reply
          .headers({
            'content-type': 'application/pdf',
            'content-disposition': `inline; filename="${number}.pdf"`,
            'cache-control': 'private, no-store',
            'x-content-type-options': 'nosniff',
          })
          .send(pdf)
      },
    )
  }
