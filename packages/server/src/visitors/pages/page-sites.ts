import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { configOf } from '../../modules/pages/page-config.ts'
import type { PageStore, SlugName } from '../../modules/pages/pages.store.ts'
import type { BlobKeeper } from '../../storage/blobs/keeper.ts'
import type { Tombstones } from '../../storage/tombstones.ts'
import type { ClickSink } from '../links/plain-visits.ts'
import type { HostNotices } from '../notices/host-notices.ts'
import type { DrawnPreviews } from './drawn-previews.ts'
import { eventSite } from './events.site.ts'
import { fontSite } from './fonts.site.ts'
import { PageFinder } from './page-finder.ts'
import { createPageFront, type PageFront } from './page-front.ts'
import { previewSite } from './preview.site.ts'

export interface PageSitesDependencies {
  readonly store: PageStore
  readonly blobs: BlobKeeper
  readonly tombstones: Tombstones
  readonly drawn: DrawnPreviews
  readonly urlOf: (name: SlugName) => string
  readonly isSuspended: (workspaceUuid: string) => boolean
  readonly clicks: ClickSink
  readonly domainOf: (host: string | undefined) => string
  readonly notices: Pick<HostNotices, 'notice'>
  readonly addressOf: (request: IncomingMessage) => string
  readonly report: (error: unknown) => void
  readonly now: () => number
}

export interface PageSites {
  /** Serves pages in front of Fastify. */
  readonly front: PageFront
  /** What belongs to pages and need not be that quick. */
  readonly site: (app: FastifyInstance) => void
  readonly pages: PageFinder
}

/** Everything that visitors of pages ask for. */
export function openPageSites(deps: PageSitesDependencies): PageSites {
  const pages = new PageFinder({ ...deps, configOf, clock: () => performance.now() })
  const [events, previews] = [eventSite({ ...deps, configOf }), previewSite({ ...deps, configOf })]
  return {
    front: createPageFront({ ...deps, pages }),
    site: (app) => {
      events(app)
      previews(app)
      fontSite(app)
    },
    pages,
  }
}
