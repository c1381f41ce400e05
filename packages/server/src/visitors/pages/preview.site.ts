import { sites } from '@waymark/contract'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { PageConfig } from '../../modules/pages/page-config.ts'
import type { PageRow, PageStore, PublicPage, SlugName } from '../../modules/pages/pages.store.ts'
import type { BlobKeeper } from '../../storage/blobs/keeper.ts'
import { PixelBudget } from '../../imaging/pixel-budget.ts'
import type { Tombstones } from '../../storage/tombstones.ts'
import { PREVIEW_SIZE } from './page-view.ts'
import { drawIcon } from './icon-picture.ts'
import { drawPreview, type Preview } from './preview-picture.ts'

export interface PreviewDependencies {
  readonly store: Pick<PageStore, 'findPublicBySlug'>
  readonly blobs: BlobKeeper
  readonly tombstones: Tombstones
  readonly configOf: (row: PageRow) => PageConfig
  readonly urlOf: (name: SlugName) => string
  readonly domainOf: (host: string | undefined) => string
}

const NAME = /^([a-z0-9-]{1,255})\.(png|svg)$/
const FOR_EVER = 'public, max-age=31536000, immutable'
const KEPT_BYTES = 16 * 1024 * 1024

/** One at a time: they are asked for by machines, which can wait. */
const budget = new PixelBudget(PREVIEW_SIZE.width * PREVIEW_SIZE.height)

/** The pictures that networks show when a page is shared, and the icons of pages that have no logo. */
export function previewSite(deps: PreviewDependencies): (app: FastifyInstance) => void {
  const drawn = new LRUCache<string, Buffer>({
    maxSize: KEPT_BYTES,
    sizeCalculation: (bytes) => bytes.length + 100,
  })
  const drawing = new Map<string, Promise<Buffer>>()

  const contentOf = async (row: PublicPage): Promise<Preview> => {
    const { logo, logoStatus, images, theme } = deps.configOf(row)
    const hero = images.find(({ status, picture }) => status === 1 && picture !== null)?.picture
    return {
      title: row.title,
      subtext: row.subtext,
      place: deps.urlOf(row).replace(/^https?:\/\//, ''),
      theme,
      logo: logo === null || logoStatus === 0 ? undefined : await deps.blobs.get(logo.hash),
      picture: hero == null ? undefined : await deps.blobs.get(hero.hash),
    }
  }

  const draw = async (key: string, row: PublicPage): Promise<Buffer> => {
    const preview = await contentOf(row)
    const bytes = await budget.run(Infinity, () => drawPreview(preview))
    drawn.set(key, bytes)
    return bytes
  }

  const pictureOf = (row: PublicPage): Promise<Buffer> => {
    const key = `${row.uuid}-${row.version}`
    const kept = drawn.get(key)
    if (kept !== undefined) return Promise.resolve(kept)
    const under = drawing.get(key) ?? draw(key, row).finally(() => drawing.delete(key))
    drawing.set(key, under)
    return under
  }

  const answerMissing = async (
    { domain, slug }: SlugName,
    leaving: PublicPage | undefined,
    reply: FastifyReply,
  ): Promise<unknown> => {
    const isGone = leaving !== undefined || (await deps.tombstones.isBuried(['slug', domain, slug]))
    return isGone ? reply.code(410).header('cache-control', 'no-store').send() : reply.callNotFound()
  }

  return (app) => {
    app.get<{ Params: { name: string }; Querystring: Record<string, unknown> }>(
      `${sites.preview}/:name`,
      async (request, reply) => {
        const [, slug, ending] = NAME.exec(request.params.name) ?? []
        const domain = deps.domainOf(request.headers.host)
        if (slug === undefined) return reply.callNotFound()
        const row = await deps.store.findPublicBySlug({ domain, slug })
        if (row === undefined || row.removed_at !== null) return answerMissing({ domain, slug }, row, reply)
        const etag = `"${row.version}-${ending}"`
        reply.headers({
          etag,
          'cache-control': request.query['v'] === row.version ? FOR_EVER : 'no-cache',
          'x-content-type-options': 'nosniff',
        })
        if (request.headers['if-none-match'] === etag) return reply.code(304).send()
        if (ending === 'png') return reply.header('content-type', 'image/png').send(await pictureOf(row))
        return reply
          .headers({ 'content-type': 'image/svg+xml', 'content-security-policy': "default-src 'none'" })
          .send(drawIcon(row.title, deps.configOf(row).theme))
      },
    )
  }
}
