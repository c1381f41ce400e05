import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { fileURLToPath } from 'node:url'
import { contentPayload } from '@waymark/codes'
import { sites } from '@waymark/contract'
import { FONT_PATH } from '@waymark/page'
import { languageOf } from '@waymark/page/languages'
import { type CardContact, nameOfContact } from '../../modules/pages/page-buttons.ts'
import { configOf } from '../../modules/pages/page-config.ts'
import type { PageStore, SlugName } from '../../modules/pages/pages.store.ts'
import type { BlobReferences } from '../../storage/blobs/blob-references.ts'
import type { Tombstones } from '../../storage/tombstones.ts'
import type { ClickSink } from '../links/plain-visits.ts'
import type { HostNotices } from '../notices/host-notices.ts'
import type { NoticeKind } from '../notices/notices.ts'
import { writeNotice } from '../notices/send-notice.ts'
import { get, type Route, send } from '../router.ts'
import { visitOf } from '../visit-of.ts'
import type { DrawnPreviews } from './drawn-previews.ts'
import { eventRoutes } from './events.site.ts'
import { encodingFor, type Found, isHeld, PageFinder, type ServedPage } from './page-finder.ts'
import { previewRoute } from './preview.site.ts'

interface PageSitesDependencies {
  readonly store: PageStore
  readonly blobs: BlobReferences
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

interface PageSites {
  /** Serves pages before all routes. */
  readonly front: PageFront
  /** Other routes of pages. */
  readonly routes: readonly Route[]
  readonly pages: PageFinder
}

/** All routes for visitors of pages. */
export function openPageSites(deps: PageSitesDependencies): PageSites {
  const pages = new PageFinder({ ...deps, configOf, clock: () => performance.now() })
  const routes = [
    ...eventRoutes({ ...deps, configOf }),
    previewRoute({ ...deps, configOf }),
    ...fontRoutes(),
    contactRoute(deps),
  ]
  return { front: createPageFront({ ...deps, pages }), routes, pages }
}

const CONTACT_FILE = /^(-?\d{1,16})\.vcf$/
const MAX_FILE_NAME = 60

/** The file name of a contact. Characters that change the direction of text are left out. */
const fileNameOf = (contact: CardContact): string => {
  const name = nameOfContact(contact).replaceAll(/[\p{C}/\\:*?"<>|]/gu, ' ')
  return `${Array.from(name).slice(0, MAX_FILE_NAME).join('').trim() || 'contact'}.vcf`
}

/** RFC 8187, with the plain name for clients that do not support it. */
const dispositionOf = (contact: CardContact): string => {
  const encoded = encodeURIComponent(fileNameOf(contact)).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="contact.vcf"; filename*=UTF-8''${encoded}`
}

/** The contacts of pages as files (vCard). */
const contactRoute = (deps: PageSitesDependencies): Route =>
  get<'slug' | 'file'>(`${sites.page}/:slug/:file`, async (exchange) => {
    const { request, response, params } = exchange
    const { slug, file } = params
    const domain = deps.domainOf(request.headers.host)
    const notify = (kind: NoticeKind): void =>
      writeNotice(request, response, deps.notices.notice(domain, kind, request.headers))
    const row = await deps.store.findPublicBySlug({ domain, slug })
    const [, id] = CONTACT_FILE.exec(file) ?? []
    const isRemoved = row?.removed_at != null
    if (row !== undefined && deps.isSuspended(row.workspace_uuid)) return notify('blocked')
    const block = row && configOf(row).buttons.find((button) => String(button.id) === id)
    if (isRemoved || block?.type !== 'contact' || block.status === 0 || block.contact === null)
      return notify(isRemoved ? 'gone' : 'notFound')
    const headers = {
      'content-type': 'text/vcard; charset=utf-8',
      'content-disposition': dispositionOf(block.contact),
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
    }
    send(exchange, 200, headers, contentPayload({ type: 'contact', ...block.contact }))
  })

/** The files of the fonts that pages use. Names are written in full, for the release script. */
const FILES: Readonly<Record<string, string>> = {
  'overpass-latin': import.meta
    .resolve('@fontsource-variable/overpass/files/overpass-latin-wght-normal.woff2'),
  'overpass-latin-ext': import.meta
    .resolve('@fontsource-variable/overpass/files/overpass-latin-ext-wght-normal.woff2'),
  'overpass-cyrillic': import.meta
    .resolve('@fontsource-variable/overpass/files/overpass-cyrillic-wght-normal.woff2'),
  'overpass-mono-latin': import.meta
    .resolve('@fontsource-variable/overpass-mono/files/overpass-mono-latin-wght-normal.woff2'),
  'overpass-mono-latin-ext': import.meta
    .resolve('@fontsource-variable/overpass-mono/files/overpass-mono-latin-ext-wght-normal.woff2'),
  'overpass-mono-cyrillic': import.meta
    .resolve('@fontsource-variable/overpass-mono/files/overpass-mono-cyrillic-wght-normal.woff2'),
}

const HEADERS = {
  'content-type': 'font/woff2',
  'cache-control': 'public, max-age=2592000',
  'x-content-type-options': 'nosniff',
}

/** The fonts of pages, on every host that serves pages. Each file is read once. */
const fontRoutes = (): Route[] =>
  Object.entries(FILES).map(([name, file]) => {
    let bytes: Promise<Buffer> | undefined
    return get(`${FONT_PATH}/${name}.woff2`, async (exchange) => {
      bytes ??= readFile(fileURLToPath(file))
      send(exchange, 200, HEADERS, await bytes)
    })
  })

interface PageFrontDependencies {
  readonly pages: PageFinder
  readonly clicks: ClickSink
  readonly domainOf: (host: string | undefined) => string
  readonly notices: Pick<HostNotices, 'notice'>
  readonly addressOf: (request: IncomingMessage) => string
  readonly report: (error: unknown) => void
  readonly now: () => number
}

/** Whether a request was or will be handled; if not, the routes handle it. */
type PageFront = (request: IncomingMessage, response: ServerResponse) => boolean

const PATH = new RegExp(`^${sites.page}/([A-Za-z0-9-]{1,255})(/?)(\\?.*)?$`, 's')

/** Serves `GET /p/{slug}` before all routes; a cached page creates no promise and no log line. */
function createPageFront(deps: PageFrontDependencies): PageFront {
  const { pages, clicks, domainOf, notices, addressOf, report, now } = deps

  const notify = (request: IncomingMessage, response: ServerResponse, kind: NoticeKind): void => {
    const { headers } = request
    writeNotice(request, response, notices.notice(domainOf(headers.host), kind, headers))
  }

  const servePage = (
    request: IncomingMessage,
    response: ServerResponse,
    uuid: string,
    page: ServedPage,
  ): void => {
    const form = page[encodingFor(request.headers['accept-encoding'])]
    const held = isHeld(request.headers['if-none-match'], form)
    const send = (): void => {
      response.writeHead(held ? 304 : 200, (held ? form.unchangedHeaders : form.headers) as string[])
      if (held || request.method === 'HEAD') response.end()
      else response.end(form.body)
    }
    if (request.method === 'HEAD') return send()
    clicks.append(visitOf(request.headers, { kind: 'page', resourceUuid: uuid }, addressOf(request), now()))
    // The view is written before the page is sent, like every click.
    clicks.afterWrite(send)
  }

  const answer = (
    request: IncomingMessage,
    response: ServerResponse,
    found: Found,
    isSpelledRight: boolean,
    query: string,
  ): void => {
    if (found.kind === 'page' && isSpelledRight) return servePage(request, response, found.uuid, found.page)
    if (found.kind === 'page') return redirect(response, `${slugPath(request)}${query}`)
    if (found.kind === 'moved') return redirect(response, found.location + query)
    notify(request, response, found.kind)
  }

  return (request, response) => {
    const [, typed, slash, query = ''] = PATH.exec(request.url ?? '') ?? []
    if (typed === undefined) return false
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      notify(request, response, 'wrongMethod')
      return true
    }
    const slug = typed.toLowerCase()
    const isSpelledRight = slug === typed && slash === ''
    const domain = domainOf(request.headers.host)
    const language = languageOf(request.headers['accept-language'])
    const known = pages.known(domain, slug, language)
    if (known !== undefined) {
      answer(request, response, known, isSpelledRight, query)
      return true
    }
    pages.find(domain, slug, language).then(
      (found) => answer(request, response, found, isSpelledRight, query),
      (error: unknown) => {
        report(error)
        notify(request, response, 'unavailable')
      },
    )
    return true
  }
}

const slugPath = ({ url = '' }: IncomingMessage): string =>
  `${sites.page}/${(PATH.exec(url)?.[1] ?? '').toLowerCase()}`

/** Permanent, but revalidated every time: a page can take an earlier slug again. */
const redirect = (response: ServerResponse, location: string): void => {
  response.writeHead(301, ['location', location, 'cache-control', 'no-cache', 'content-length', '0'])
  response.end()
}
