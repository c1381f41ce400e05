import { sites } from '@waymark/contract'
import type { FastifyInstance } from 'fastify'
import type { InvoiceService } from './invoices.service.ts'

/** The PDF of an invoice behind a signed link that lasts a quarter of an hour. */
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
