import type { Data } from '@waymark/contract/schemas'
import { isoTime } from '../../work/times.ts'
import type { PageRow } from '../../storage/db/tables.ts'
import { fieldsOf } from '../owned/field-map.ts'

type Page = Data<'generatePage'>

/** The fields that a request determines, each under all of its names. */
export type PageContentFields = NonNullable<Page['unpublished']>

/** The fields of requests; page-config.ts reads them. */
type PageInput = Record<keyof PageContentFields | 'draft' | 'publish', unknown>

/** Data for responses that the row of a page does not have. */
export interface PageContext {
  readonly published: PageContentFields
  readonly unpublished: PageContentFields | null
  readonly conflicts: readonly string[]
  readonly pageUrl: string
  readonly shortLink: Page['short_link']
  readonly qrCode: Page['qr_code']
}

/** A field that page-config.ts reads from both schemas of a page, and that a draft can have, too. */
const content = <const Name extends keyof PageContentFields>(name: Name) =>
  ({
    isSettledByService: true,
    show: (_row: PageRow, { published }: PageContext) => published[name],
  }) as const

/** Every field of a page, in the order of responses. */
export const pageFields = fieldsOf<PageRow, PageInput, Page, PageContext>()({
  title: { ...content('title'), column: 'title', isSearched: true },
  subtext: { ...content('subtext'), column: 'subtext', isSearched: true },
  subtitle: content('subtitle'),
  slug: { ...content('slug'), column: 'slug', isSearched: true },
  domain: content('domain'),
  logoText: content('logoText'),
  logoStatus: content('logoStatus'),
  logoPosition: content('logoPosition'),
  logo: content('logo'),
  theme: content('theme'),
  topShape: content('topShape'),
  socialAlign: content('socialAlign'),
  socialIcons: content('socialIcons'),
  images: content('images'),
  buttons: content('buttons'),
  draft: { isSettledByService: true },
  publish: { isSettledByService: true },
  unpublished: { show: (_row, { unpublished }) => unpublished },
  conflicts: { show: (_row, { conflicts }) => [...conflicts] },
  page_url: { show: (_row, { pageUrl }) => pageUrl },
  short_link: { show: (_row, { shortLink }) => shortLink },
  qr_code: { show: (_row, { qrCode }) => qrCode },
  views: { show: (row) => row.views },
  created_by: { show: (row) => row.created_by },
  created_at: { show: (row) => isoTime(row.created_at) },
  updated_at: { show: (row) => isoTime(row.updated_at) },
  uuid: { show: (row) => row.uuid },
})
