import type { Bus } from '../../net/bus/bus.ts'

const WATCHED = 'live-watch'
const QUESTION = 'live-watch-question'
/** A listener's process says so again and again; one that was killed is forgotten after this. */
const LEASE_MS = 10_000
/** As many as fit into one notification of PostgreSQL. */
const ACCOUNTS_AT_ONCE = 100

/** The accounts whose clicks have listeners, in any process of the service. */
export class LiveWatch {
  readonly #bus: Bus
  readonly #now: () => number
  readonly #changed: (userUuids: readonly string[]) => void
  readonly #leases = new Map<string, number>()
  #sweep: NodeJS.Timeout | undefined

  /**
   * `changed` hears of everyone that is watched whenever that changes; `own` are those with listeners in this process.
   * A process that starts asks whom the others watch, before it counts clicks that these want to hear of: when the
   * bus has settled, everyone who listens on this machine is known.
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

  /** As `announce`, for an account that was not watched before. When the bus has settled, this machine reports its clicks. */
  begin(workspaceUuid: string): void {
    this.#bus.publish(WATCHED, workspaceUuid)
  }

  /** Tells every process to report clicks of these accounts, for a while. */
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
    for (const workspaceUuid of userUuids) this.#leases.set(workspaceUuid, this.#now() + LEASE_MS)
    this.#sweep ??= setTimeout(() => this.#forgetOld(), LEASE_MS).unref()
    if (isNew) this.#changed(this.watched())
  }

  #forgetOld(): void {
    this.#sweep = undefined
    const before = this.#leases.size
    for (const [workspaceUuid, untilMs] of this.#leases)
      if (untilMs <= this.#now()) this.#leases.delete(workspaceUuid)
    if (this.#leases.size > 0) this.#sweep = setTimeout(() => this.#forgetOld(), LEASE_MS).unref()
    if (this.#leases.size < before) this.#changed(this.watched())
  }
}
