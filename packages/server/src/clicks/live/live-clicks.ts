import { Readable } from 'node:stream'
import { LRUCache } from 'lru-cache'
import { admission, laneRules } from '../../net/admission/lanes.ts'
import type { Bus } from '../../net/bus/bus.ts'
import { AppError } from '../../net/errors.ts'
import type { LiveClick } from './live-click.ts'

export interface LiveDependencies {
  readonly bus: Bus
  readonly newId: () => string
  readonly now: () => number
  readonly report: (error: unknown) => void
}

export interface LiveQuery {
  /** Links and pages; undefined: all of the account. */
  readonly resourceUuids: ReadonlySet<string> | undefined
  /** Filters clicks by properties that only the database has, such as tags. */
  readonly choose?: ((clicks: readonly LiveClick[]) => Promise<readonly LiveClick[]>) | undefined
  readonly present: (click: LiveClick) => unknown
}

interface Listening extends LiveQuery {
  readonly workspaceUuid: string
  readonly listener: LiveListener
  readonly choices: ClickChoices
  /** Releases its slot at the admission gate. */
  readonly leave: () => void
}

const LISTENERS_PER_ACCOUNT = laneRules.liveStreams.share
/** How often other processes are notified of listeners. */
const RENEW_MS = 3_000
const BEATS_EVERY = 5
const KNOWN_MESSAGES = 2_000
const RETRY_AFTER_S = '10'

const topicOf = (workspaceUuid: string): string => `live-clicks/${workspaceUuid}`

/** Sends clicks to listeners as they are counted. Without listeners it does nothing. */
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

  /** Calls `report` with the watched accounts, now and whenever they change. */
  onWatch(listener: (userUuids: readonly string[]) => void): void {
    this.#onWatch = listener
    listener(this.#watch.watched())
  }

  /** Sends clicks of an account to its listeners in all processes. */
  report(workspaceUuid: string, clicks: readonly LiveClick[]): void {
    const { bus, newId } = this.#deps
    for (const message of toMessages(clicks, newId)) bus.broadcast(topicOf(workspaceUuid), message)
  }

  open(workspaceUuid: string, query: LiveQuery): LiveListener {
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
    const listening: Listening = { ...query, workspaceUuid, listener, choices, leave }
    own.add(listening)
    this.#count++
    if (own.size === 1) {
      this.#listening.set(workspaceUuid, own)
      const receive = (message: string): void => this.#receive(workspaceUuid, message)
      this.#unsubscribe.set(workspaceUuid, this.#deps.bus.subscribe(topicOf(workspaceUuid), receive))
      this.#watch.begin(workspaceUuid)
    }
    this.#timer ??= setInterval(() => this.#renew(), RENEW_MS).unref()
    return listener
  }

  /** Resolves when every process of this machine reports clicks of the watched accounts. */
  announced(): Promise<void> {
    return this.#deps.bus.settled()
  }

  /** Ends every stream and accepts no more. */
  close(): void {
    this.#isClosed = true
    for (const { listener } of this.#all()) listener.end()
    this.#watch.close()
  }

  #all(): Listening[] {
    return [...this.#listening.values()].flatMap((own) => [...own])
  }

  #remove(listening: Listening): void {
    const { workspaceUuid } = listening
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

  #receive(workspaceUuid: string, message: string): void {
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
  }
}

const WATCHED = 'live-watch'
const QUESTION = 'live-watch-question'
/** Processes with listeners repeat their message; a killed process is forgotten after this time. */
const WATCH_MS = 10_000
/** As many as fit into one PostgreSQL notification. */
const ACCOUNTS_AT_ONCE = 100

/** The accounts whose clicks have listeners in any process of the service. */
class LiveWatch {
  readonly #bus: Bus
  readonly #now: () => number
  readonly #changed: (userUuids: readonly string[]) => void
  readonly #leases = new Map<string, number>()
  #sweep: NodeJS.Timeout | undefined

  /**
   * `changed` receives all watched accounts whenever they change; `own` are those with listeners in this process. A new
   * process asks the others which accounts they watch before it counts clicks: when the bus has settled, it knows every
   * account with listeners on this machine.
   */
  constructor(
    bus: Bus,
    now: () => number,
    changed: (userUuids: readonly string[]) => void,
    own: () => readonly string[],
  ) {
    this.#bus = bus
    this.#now = now
    this.#changed = changed
    const ask = (): void => bus.publish(QUESTION, '')
    bus.subscribe(WATCHED, (message) => this.#renew(message.split(',')))
    bus.subscribe(QUESTION, () => this.announce(own()))
    bus.onMissed((from) => {
      if (from === 'nodes') ask()
    })
    ask()
  }

  /** Announces an account that was not watched before. When the bus has settled, this machine reports its clicks. */
  begin(workspaceUuid: string): void {
    this.#bus.publish(WATCHED, workspaceUuid)
  }

  /** Asks every process to report clicks of these accounts for a while. */
  announce(userUuids: readonly string[]): void {
    for (let at = 0; at < userUuids.length; at += ACCOUNTS_AT_ONCE)
      this.#bus.broadcast(WATCHED, userUuids.slice(at, at + ACCOUNTS_AT_ONCE).join(','))
  }

  watched(): readonly string[] {
    return [...this.#leases.keys()]
  }

  close(): void {
    clearTimeout(this.#sweep)
    this.#leases.clear()
  }

  #renew(userUuids: readonly string[]): void {
    const isNew = userUuids.some((workspaceUuid) => !this.#leases.has(workspaceUuid))
    for (const workspaceUuid of userUuids) this.#leases.set(workspaceUuid, this.#now() + WATCH_MS)
    this.#sweep ??= setTimeout(() => this.#forgetOld(), WATCH_MS).unref()
    if (isNew) this.#changed(this.watched())
  }

  #forgetOld(): void {
    this.#sweep = undefined
    const before = this.#leases.size
    for (const [workspaceUuid, untilMs] of this.#leases)
      if (untilMs <= this.#now()) this.#leases.delete(workspaceUuid)
    if (this.#leases.size > 0) this.#sweep = setTimeout(() => this.#forgetOld(), WATCH_MS).unref()
    if (this.#leases.size < before) this.#changed(this.watched())
  }
}

/** How much may be waiting for one listener; a slower one is disconnected and connects again. */
const MAX_WAITING_BYTES = 256 * 1024
/** Delay before a client reconnects. */
const RECONNECT_MS = 3_000

/** The response to one listener: server-sent events. */
export class LiveListener extends Readable {
  readonly #onEnd: () => void
  #isEnded = false

  constructor(onEnd: () => void) {
    super({ encoding: 'utf8', highWaterMark: MAX_WAITING_BYTES })
    this.#onEnd = onEnd
    this.push(`retry: ${RECONNECT_MS}\n\n`)
  }

  /** Sends an event; disconnects a listener that does not read. */
  send(event: string, data: unknown): void {
    this.#write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  }

  /** Sends a comment, so that proxies and the client see that the connection is alive. */
  beat(): void {
    this.#write(':\n\n')
  }

  /** Ends the response. */
  end(): void {
    this.#onEnd()
    this.#isEnded = true
    this.push(null)
  }

  override _read(): void {
    // Events are pushed when they arrive.
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#onEnd()
    done(error)
  }

  #write(text: string): void {
    // Clicks of an earlier message, which the database has chosen meanwhile.
    if (this.#isEnded) return
    if (this.readableLength + text.length > MAX_WAITING_BYTES) this.destroy()
    else this.push(text)
  }
}

/** Messages of one listener that may wait for the database; more are dropped, because statistics have the clicks anyway. */
const MAX_WAITING_MESSAGES = 20

/** Database filters of one listener, applied to one message after another. */
class ClickChoices {
  readonly #report: (error: unknown) => void
  #last: Promise<void> = Promise.resolve()
  #waiting = 0

  constructor(report: (error: unknown) => void) {
    this.#report = report
  }

  add(work: () => Promise<void>): void {
    if (this.#waiting === MAX_WAITING_MESSAGES) return
    this.#waiting++
    this.#last = this.#last
      .then(work)
      .catch(this.#report)
      .finally(() => this.#waiting--)
  }
}

/** Clicks of one account, sent between processes. */
interface LiveMessage {
  /** The same message can arrive twice: from another worker of this machine, and through Redis. */
  readonly id: string
  readonly clicks: readonly LiveClick[]
}

/** A PostgreSQL notification is limited to 8,000 bytes, including the envelope. */
const MAX_MESSAGE_BYTES = 7_000

/** Splits clicks into messages that every bus can send. */
export function toMessages(clicks: readonly LiveClick[], newId: () => string): string[] {
  const messages: string[] = []
  let texts: string[] = []
  let bytes = 0
  const flush = (): void => {
    if (texts.length > 0) messages.push(`{"id":${JSON.stringify(newId())},"clicks":[${texts.join(',')}]}`)
    texts = []
    bytes = 0
  }
  for (const click of clicks) {
    const text = JSON.stringify(click)
    // The envelope is JSON as well and escapes every quote again.
    const size = Buffer.byteLength(JSON.stringify(text))
    if (bytes + size > MAX_MESSAGE_BYTES) flush()
    texts.push(text)
    bytes += size
  }
  flush()
  return messages
}

const fromMessage = (message: string): LiveMessage => JSON.parse(message) as LiveMessage
