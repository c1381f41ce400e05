import { themeAliases } from '@waymark/contract/schemas'
import { isoTime } from '../../runtime/times.ts'
import type { Page, PageConfig } from './page-config.ts'
import type { PageRow } from './pages.store.ts'

/** What an answer shows besides the page itself. */
export interface PageSurroundings {
  readonly domainName: string
  readonly pageUrl: string
  readonly shortLink: Page['short_link']
  readonly qrCode: Page['qr_code']
  readonly mediaUrl: (hash: string) => string
}

const answerTheme = (theme: PageConfig['theme']): Page['theme'] => {
  const aliases = Object.entries(themeAliases).map(([nested, form]) => [nested, theme[form]])
  return { ...theme, ...Object.fromEntries(aliases) } as Page['theme']
}

/** A page in the one shape that both descriptions have in common: every value under all of its names. */
export const pageResponse = (row: PageRow, config: PageConfig, around: PageSurroundings): Page => ({
  uuid: row.uuid,
  title: row.title,
  subtext: row.subtext,
  subtitle: row.subtext,
  slug: row.slug,
  domain: around.domainName,
  logoText: config.logoText,
  logoStatus: config.logoStatus,
  logoPosition: config.logoPosition,
  logo: config.logo === null ? null : around.mediaUrl(config.logo.hash),
  theme: answerTheme(config.theme),
  topShape: config.topShape,
  socialAlign: config.socialAlign,
  socialIcons: config.socialIcons.map(({ name, link, bg }) => ({ name, icon: name, link, bg })),
  images: config.images.map(({ id, picture, src, status, title }) => ({
    id,
    src: picture === null ? (src ?? '') : around.mediaUrl(picture.hash),
    status,
    title,
  })),
  buttons: [...config.buttons],
  page_url: around.pageUrl,
  short_link: around.shortLink,
  qr_code: around.qrCode,
  views: row.views,
  created_at: isoTime(row.created_at),
  updated_at: isoTime(row.updated_at),
})
