import { sites } from '@waymark/contract'
import { type PageTheme, palettesOf } from '@waymark/page'
import type { PageConfig } from '../../modules/pages/page-config.ts'
import type { PageRow, PageStore, PublicPage, SlugName } from '../../modules/pages/pages.store.ts'
import type { BlobReferences } from '../../storage/blobs/blob-references.ts'
import type { Tombstones } from '../../storage/tombstones.ts'
import { type Exchange, get, type Route, send, sendGone } from '../router.ts'
import { CACHE_FOREVER, isCurrent } from '../site.ts'
import type { DrawnPreviews } from './drawn-previews.ts'
import type { Preview } from './preview-picture.ts'
import { drawable, setText, UNITS } from './text-lines.ts'

interface PreviewDependencies {
  readonly store: Pick<PageStore, 'findPublicBySlug'>
  readonly blobs: BlobReferences
  readonly tombstones: Tombstones
  readonly drawn: DrawnPreviews
  readonly configOf: (row: PageRow) => PageConfig
  readonly urlOf: (name: SlugName) => string
  readonly domainOf: (host: string | undefined) => string
}

const NAME = /^([a-z0-9-]{1,255})\.(png|svg)$/
/** The pictures that networks show for a shared page, and the icons of pages without a logo. */
export function previewRoute(deps: PreviewDependencies): Route {
  const contentOf = async (row: PublicPage): Promise<Preview> => {
    const { logo, logoStatus, images, theme } = deps.configOf(row)
    const hero = images.find(({ status, picture }) => status === 1 && picture !== null)?.picture
    return {
      title: row.title,
      subtext: row.subtext,
      place: deps.urlOf(row).replace(/^https?:\/\//, ''),
      theme,
      logo: logo === null || logoStatus === 0 ? undefined : await deps.blobs.need(logo.hash),
      picture: hero == null ? undefined : await deps.blobs.need(hero.hash),
    }
  }

  const sendMissing = async (
    { domain, slug }: SlugName,
    leaving: PublicPage | undefined,
    exchange: Exchange<'name'>,
  ): Promise<void> => {
    const isGone = leaving !== undefined || (await deps.tombstones.has(['slug', domain, slug]))
    return isGone ? sendGone(exchange) : exchange.notFound()
  }

  return get<'name'>(`${sites.preview}/:name`, async (exchange) => {
    const { request, params, query } = exchange
    const [, slug, ending] = NAME.exec(params.name) ?? []
    const domain = deps.domainOf(request.headers.host)
    if (slug === undefined) return exchange.notFound()
    const row = await deps.store.findPublicBySlug({ domain, slug })
    if (row === undefined || row.removed_at !== null) return sendMissing({ domain, slug }, row, exchange)
    const etag = `"${row.version}-${ending}"`
    const headers = {
      etag,
      'cache-control': query['v'] === row.version ? CACHE_FOREVER : 'no-cache',
      'x-content-type-options': 'nosniff',
    }
    if (isCurrent(request.headers['if-none-match'], etag)) return send(exchange, 304, headers)
    if (ending === 'png') {
      const picture = await deps.drawn.get(`${row.uuid}-${row.version}`, () => contentOf(row))
      return send(exchange, 200, { ...headers, 'content-type': 'image/png' }, picture)
    }
    const icon = { 'content-type': 'image/svg+xml', 'content-security-policy': "default-src 'none'" }
    send(exchange, 200, { ...headers, ...icon }, drawIcon(row.title, deps.configOf(row).theme))
  })
}

const SIZE = 64
const LETTER = 40
/** Height of capital letters, as a fraction of the font size. */
const CAPITAL = 0.73

/** A page's first letter in its own colours. */
const drawIcon = (title: string, theme: PageTheme): string => {
  const [palette] = palettesOf(theme)
  const ground = theme.buttonBgColor ?? theme.bgColor ?? palette.text
  const ink = theme.buttonBgColor == null ? (palette.body[0] ?? '#ffffff') : palette.buttonText
  const letter = /[\p{L}\p{N}]/u.exec(drawable(title))?.[0].toUpperCase() ?? ''
  const [line] = setText(letter, { width: SIZE, sizes: [LETTER], lines: 1 }).lines
  const outline =
    line === undefined
      ? `<circle cx="32" cy="32" r="12" fill="${ink}"/>`
      : `<path transform="translate(${(SIZE - line.width) / 2} ${(SIZE + LETTER * CAPITAL) / 2}) scale(${LETTER / UNITS})" fill="${ink}" stroke="${ink}" stroke-width="50" d="${line.path}"/>`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE} ${SIZE}"><rect width="${SIZE}" height="${SIZE}" rx="16" fill="${ground}"/>${outline}</svg>`
}
