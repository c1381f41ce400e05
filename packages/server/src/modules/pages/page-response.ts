import { themeAliases } from '@waymark/contract/schemas'
import { thumbnailUrl } from './page-buttons.ts'
import type { Page, PageConfig, PageContent } from './page-config.ts'
import { draftOf, type PageVersion, publishedOf } from './page-draft.ts'
import { type PageContentFields, pageFields } from './page-fields.ts'
import type { PageRow } from './pages.store.ts'

/** Data for a response besides the page itself. */
export interface PageSurroundings {
  readonly domainName: (domain: string) => string
  readonly pageUrl: string
  readonly shortLink: Page['short_link']
  readonly qrCode: Page['qr_code']
  readonly mediaUrl: (hash: string) => string
}

const answerTheme = (theme: PageConfig['theme']): Page['theme'] => {
  const aliases = Object.entries(themeAliases).map(([nested, form]) => [nested, theme[form]])
  return { ...theme, ...Object.fromEntries(aliases) } as Page['theme']
}

/** The fields that a request determines, each under all of its names. */
const contentFields = (
  { title, subtext, config }: PageContent,
  name: { readonly slug: string; readonly domain: string },
  mediaUrl: (hash: string) => string,
): PageContentFields => ({
  title,
  subtext,
  subtitle: subtext,
  slug: name.slug,
  domain: name.domain,
  logoText: config.logoText,
  logoStatus: config.logoStatus,
  logoPosition: config.logoPosition,
  logo: config.logo === null ? null : mediaUrl(config.logo.hash),
  theme: answerTheme(config.theme),
  topShape: config.topShape,
  socialAlign: config.socialAlign,
  socialIcons: config.socialIcons.map(({ name: icon, link, bg }) => ({ name: icon, icon, link, bg })),
  images: config.images.map(({ id, picture, src, status, title: alt }) => ({
    id,
    src: picture === null ? (src ?? '') : mediaUrl(picture.hash),
    status,
    title: alt,
  })),
  buttons: config.buttons.map((button) => ({ ...button, image: thumbnailUrl(button.image, mediaUrl) })),
})

/** A page in the response format, which both schemas share. */
export const pageResponse = (row: PageRow, around: PageSurroundings): Page => {
  const draft = draftOf(row)
  const { domainName, mediaUrl } = around
  const shown = (version: PageVersion): PageContentFields =>
    contentFields(version.content, { slug: version.slug, domain: domainName(version.domain) }, mediaUrl)
  return pageFields.show(row, {
    ...around,
    published: shown(publishedOf(row)),
    unpublished: draft && shown(draft),
    conflicts: draft?.conflicts ?? [],
  })
}
