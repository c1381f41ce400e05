import { sites } from '@waymark/contract'
import type { FastifyInstance } from 'fastify'
import { isCurrent } from '../platform/http/conditional.ts'
import type { BlobKeeper } from '../platform/blobs/keeper.ts'
import type { Tombstones } from '../platform/tombstones.ts'

const FOR_EVER = 'public, max-age=31536000, immutable'
const HASH = /^([0-9a-f]{64})\.webp$/

/** The address of a stored picture. */
export const mediaPath = (hash: string): string => `${sites.media}/${hash}.webp`

/** Stored pictures by their content hash, which never means anything else. */
export const mediaSite =
  (blobs: BlobKeeper, tombstones: Tombstones) =>
  (app: FastifyInstance): void => {
    app.get<{ Params: { name: string } }>(`${sites.media}/:name`, async (request, reply) => {
      const hash = HASH.exec(request.params.name)?.[1]
      if (hash === undefined) return reply.callNotFound()
      const etag = `"${hash}"`
      const bytes = await blobs.get(hash)
      if (bytes === undefined) {
        if (!(await tombstones.isBuried(['media', hash]))) return reply.callNotFound()
        return reply.code(410).header('cache-control', 'no-store').send()
      }
      reply.headers({ etag, 'cache-control': FOR_EVER, 'x-content-type-options': 'nosniff' })
      if (isCurrent(request.headers['if-none-match'], etag)) return reply.code(304).send()
      return reply.header('content-type', 'image/webp').send(Buffer.from(bytes))
    })
  }
