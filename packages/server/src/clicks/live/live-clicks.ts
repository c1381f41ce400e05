import { LRUCache } from 'lru-cache'
import { admission, laneRules } from '../../net/admission/lanes.ts'
import type { Bus } from '../../net/bus/bus.ts'
import { AppError } from '../../net/errors.ts'
import { ClickChoices } from './click-choices.ts'
import type { LiveClick } from './live-click.ts'
import { LiveListener } from './live-listener.ts'
import { fromMessage, toMessages } from './live-messages.ts'
import { LiveWatch } from './live-watch.ts'

/** Who listens, and with which key or session. */
export interface LiveCaller {
  readonly workspaceUuid: string
  readonly userUuid: string
  readonly kind: 'key' | 'token' | 'session'
  readonly uuid: string
}

export interface LiveDependencies {
  readonly bus: Bus
  /** The keys and sessions among these that can still be used. */
  readonly usable: (callers: readonly LiveCaller[]) => Promise<ReadonlySet<string>>
  readonly newId: () => string
  readonly now: () => number
  readonly report: (error: unknown) => void
}

export interface LiveQuery {
  /** Links and pages; undefined: everything of the account. */
  readonly resourceUuids: ReadonlySet<string> | undefined
  /** Picks clicks by what only the database knows, such as tags. */
  readonly choose?: ((clicks: readonly LiveClick[]) => Promise<readonly LiveClick[]>) | undefined
  readonly present: (click: LiveClick) => unknown
}

interface Listening extends LiveQuery {
  readonly caller: LiveCaller
  readonly listener: LiveListener
  readonly choices: ClickChoices
  /** Gives its place at the gate back. */
  readonly leave: () => void
}

const LISTENERS_PER_ACCOUNT = laneRules.liveStreams.share
/** How often other processes are notified of listeners, and keys and sessions are checked. */
const RENEW_MS = 3_000
const BEATS_EVERY = 5
const KNOWN_MESSAGES = 2_000
const RETRY_AFTER_S = '10'

const topicOf = (workspaceUuid: string): string => `live-clicks/${workspaceUuid}`

/** Clicks as they are counted, for those who listen. Without listeners nothing runs and nothing is sent. */
export class LiveClicks {
  readonly #deps: LiveDependencies
  readonly #watch: LiveWatch
  readonly #listening = new Map<string, Set<Listening>>()
  readonly #unsubscribe = new Map<string, () => void>()
  readonly #known = new LRUCache<string, true>({ max: KNOWN_MESSAGES })
  #onWatch: (userUuids: readonly string[]) => void = () => undefined
  #count = 0
  #beats = 0
  #isClosed = false
  #timer: NodeJS.Timeout | undefined

  constructor(deps: LiveDependencies) {
    this.#deps = deps
    const changed = (userUuids: readonly string[]): void => this.#onWatch(userUuids)
    this.#watch = new LiveWatch(deps.bus, deps.now, changed, () => [...this.#listening.keys()])
  }

  /** Hears whose clicks are to be reported to `report`: at once, and whenever that changes. */
  onWatch(listener: (userUuids: readonly string[]) => void): void {
    this.#onWatch = listener
    listener(this.#watch.watched())
  }

  /** Sends clicks of an account to its listeners, wherever they are. */
  report(workspaceUuid: string, clicks: readonly LiveClick[]): void {
    const { bus, newId } = this.#deps
    for (const message of toMessages(clicks, newId)) bus.broadcast(topicOf(workspaceUuid), message)
  }

  open(caller: LiveCaller, query: LiveQuery): LiveListener {
    const { workspaceUuid } = caller
    const own = this.#listening.get(workspaceUuid) ?? new Set<Listening>()
    if (own.size >= LISTENERS_PER_ACCOUNT)
      throw new AppError('rate_limited', {
        message: `An account can have ${LISTENERS_PER_ACCOUNT} live streams open; close one first`,
        headers: { 'retry-after': RETRY_AFTER_S },
      })
    const leave = this.#isClosed ? undefined : admission.tryEnter('liveStreams')
    if (leave === undefined) throw new AppError('busy', { headers: { 'retry-after': RETRY_AFTER_S } })
    const listener = new LiveListener(() => this.#remove(listening))
    const choices = new ClickChoices(this.#deps.report)
    const listening: Listening = { ...query, caller, listener, choices, leave }
    own.add(listening)
    this.#count++
    if (own.size === 1) {
      this.#listening.set(workspaceUuid, own)
      const hear = (message: string): void => this.#hear(workspaceUuid, message)
      this.#unsubscribe.set(workspaceUuid, this.#deps.bus.subscribe(topicOf(workspaceUuid), hear))
      this.#watch.begin(workspaceUuid)
    }
    this.#timer ??= setInterval(() => this.#renew(), RENEW_MS).unref()
    return listener
  }

  /** Resolves when every process of this machine reports the clicks of those who listen. */
  announced(): Promise<void> {
    return this.#deps.bus.settled()
  }

  /** Ends the streams of keys and sessions that no longer exist. */
  async check(): Promise<void> {
    if (this.#count === 0) return
    const all = this.#all()
    const usable = await this.#deps.usable(all.map(({ caller }) => caller))
    for (const { caller, listener } of all) if (!usable.has(caller.uuid)) listener.end()
  }

  /** Ends every stream, and takes no more. */
  close(): void {
    this.#isClosed = true
    for (const { listener } of this.#all()) listener.end()
    this.#watch.close()
  }

  #all(): Listening[] {
    return [...this.#listening.values()].flatMap((own) => [...own])
  }

  #remove(listening: Listening): void {
    const { workspaceUuid } = listening.caller
    const own = this.#listening.get(workspaceUuid)
    if (own?.delete(listening) !== true) return
    listening.leave()
    this.#count--
    if (own.size === 0) {
      this.#listening.delete(workspaceUuid)
      this.#unsubscribe.get(workspaceUuid)?.()
      this.#unsubscribe.delete(workspaceUuid)
    }
    if (this.#count > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #hear(workspaceUuid: string, message: string): void {
    const { id, clicks } = fromMessage(message)
    if (this.#known.has(id)) return
    this.#known.set(id, true)
    for (const { listener, resourceUuids, choose, choices, present } of this.#listening.get(workspaceUuid) ??
      []) {
      const send = (some: readonly LiveClick[]): void => {
        for (const click of some)
          if (resourceUuids === undefined || resourceUuids.has(click.resourceUuid))
            listener.send('click', present(click))
      }
      if (choose === undefined) send(clicks)
      else choices.add(async () => send(await choose(clicks)))
    }
  }

  #renew(): void {
    this.#watch.announce([...this.#listening.keys()])
    if (++this.#beats % BEATS_EVERY === 0) for (const { listener } of this.#all()) listener.beat()
    this.check().catch(this.#deps.report)
  }
}
