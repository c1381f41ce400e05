import type { IncomingMessage } from 'node:http'
import { sites } from '@waymark/contract'
import { CLICK_SCRIPT, CLICK_SCRIPT_PATH } from '@waymark/page'
import { LRUCache } from 'lru-cache'
import type { PageConfig } from '../../modules/pages/page-config.ts'
import type { PageRow, PageStore } from '../../modules/pages/pages.store.ts'
import type { ClickSink } from '../links/plain-visits.ts'
import { type Exchange, get, type Route, route, send } from '../router.ts'
import { visitOf } from '../visit-of.ts'

export interface EventDependencies {
  readonly store: Pick<PageStore, 'findPublic'>
  readonly configOf: (row: PageRow) => PageConfig
  readonly clicks: ClickSink
  readonly addressOf: (request: IncomingMessage) => string
  readonly report: (error: unknown) => void
  readonly now: () => number
}

/** The parameters of an event. */
type Names = 'uuid' | 'kind' | 'id'

/** What can be clicked on a page. */
type Clickable = Readonly<Record<'button' | 'icon', ReadonlySet<string>>>

const NOTHING: Clickable = { button: new Set(), icon: new Set() }
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const KNOWN_MS = 5_000
/** A ping has the body "PING"; a client that sends more is not a browser. */
const MAX_BODY_BYTES = 64

const clickableOf = ({ buttons, socialIcons }: PageConfig): Clickable => ({
  button: new Set(buttons.map(({ id }) => String(id))),
  icon: new Set(socialIcons.map((_, at) => String(at))),
})

const isSmall = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= MAX_BODY_BYTES

/**
 * Records clicks on buttons and icons. A click on something that is not on the page is ignored; the response is the same
 * either way, so that it does not reveal what exists.
 */
export function eventRoutes(deps: EventDependencies): Route[] {
  const known = new LRUCache<string, Clickable>({ max: 5_000, ttl: KNOWN_MS })

  const find = async (uuid: string): Promise<Clickable> => {
    const cached = known.get(uuid)
    if (cached !== undefined) return cached
    const row = await deps.store.findPublic(uuid)
    const found = row === undefined || row.removed_at !== null ? NOTHING : clickableOf(deps.configOf(row))
    known.set(uuid, found)
    return found
  }

  const record = async ({ request, params }: Exchange<Names>): Promise<void> => {
    const { uuid, kind, id } = params
    if (!isSmall(request) || !UUID.test(uuid) || (kind !== 'button' && kind !== 'icon')) return
    if (!(await find(uuid))[kind].has(id)) return
    const visited = { kind, resourceUuid: uuid, detail: id } as const
    const visit = visitOf(request.headers, visited, deps.addressOf(request), deps.now())
    // The view of the page has recorded the referrer and the language.
    deps.clicks.append({ ...visit, referrer: '', acceptLanguage: undefined })
    await new Promise<void>((resolve) => deps.clicks.afterWrite(resolve))
  }

  const event = route<Names>(['POST'], `${sites.event}/:uuid/:kind/:id`, async (exchange) => {
    await record(exchange).catch(deps.report)
    // The rest of a large body is not read.
    const closing = isSmall(exchange.request) ? {} : { connection: 'close' }
    send(exchange, 204, { 'cache-control': 'no-store', ...closing })
  })
  const script = get(CLICK_SCRIPT_PATH, (exchange) => {
    const headers = {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=86400',
      'x-content-type-options': 'nosniff',
    }
    send(exchange, 200, headers, CLICK_SCRIPT)
  })
  return [event, script]
}
