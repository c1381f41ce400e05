import type { Body, Data } from '@waymark/contract/schemas'
import { isoTime } from '../../work/times.ts'
import type { UtmLinkRow } from '../../storage/db/tables.ts'
import type { LinkRow } from '../links/links.store.ts'
import { fieldsOf } from '../owned/field-map.ts'

export type UtmLink = Data<'generateUtm'>
export type UtmCreate = Body<'generateUtm'>

/** What responses show of a UTM link that its row does not say. */
interface UtmContext {
  readonly link: LinkRow | undefined
  readonly shortUrl: (link: LinkRow) => string
}

/** Every field of a UTM link; the order is that of responses. */
export const utmFields = fieldsOf<UtmLinkRow, UtmCreate, UtmLink, UtmContext>()({
  url: { column: 'url', initial: '', show: (row) => row.url, isSearched: true },
  source: { column: 'source', initial: null, show: (row) => row.source ?? '', isSearched: true },
  medium: { column: 'medium', initial: null, show: (row) => row.medium ?? '', isSearched: true },
  campaign: { column: 'campaign', initial: null, show: (row) => row.campaign ?? '', isSearched: true },
  content: { column: 'content', initial: null, show: (row) => row.content ?? '', isSearched: true },
  term: {
    column: 'term',
    initial: null,
    store: (term) => (term === '' ? null : term),
    show: (row) => row.term,
    isSearched: true,
  },
  shorten: { isSettledByService: true, show: (_row, { link }) => link !== undefined },
  utm_url: { column: 'utm_url', show: (row) => row.utm_url, isSearched: true },
  short_url: { show: (_row, { link, shortUrl }) => (link === undefined ? null : shortUrl(link)) },
  clicks: { show: (_row, { link }) => link?.clicks ?? 0 },
  warnings: { show: (row) => JSON.parse(row.warnings) as string[] },
  created_at: { show: (row) => isoTime(row.created_at) },
  updated_at: { show: (row) => isoTime(row.updated_at) },
  uuid: { show: (row) => row.uuid },
})
