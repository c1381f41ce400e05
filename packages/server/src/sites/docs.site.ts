import { sites } from '@waymark/contract'
import type { FastifyInstance } from 'fastify'
import { describeOperations } from '../platform/http/openapi.ts'

/** The description of the operations, for machines and for people. */
export const docsSite =
  (baseUrl: string) =>
  (app: FastifyInstance): void => {
    const description = Buffer.from(JSON.stringify(describeOperations(baseUrl)))
    app.get(sites.openapi, (_request, reply) =>
      reply
        .headers({
          'content-type': 'application/json',
          'cache-control': 'no-cache',
          'access-control-allow-origin': '*',
        })
        .send(description),
    )
  }
