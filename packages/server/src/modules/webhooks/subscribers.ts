import { Background } from '../../work/background.ts'
import type { WebhookStore } from './webhooks.store.ts'

/** How soon a process learns of a webhook that another one made, when no message reaches it. */
const REFRESH_MS = 1_000

/**
 * The accounts that have webhooks, in memory, so that changes of all other accounts need no query. It may name
 * an account too many for a moment; the query that follows finds no webhook then.
 */
export class Subscribers {
  readonly #store: Pick<WebhookStore, 'subscribers' | 'version'>
  #users: Set<string> = new Set()
  #added: Set<string> = new Set()
  #version = -1
  // While the database is unavailable the accounts known so far stay in use.
  readonly #background = new Background(() => {})

  constructor(store: Pick<WebhookStore, 'subscribers' | 'version'>) {
    this.#store = store
  }

  async open(): Promise<void> {
    await this.refresh()
    this.#background.every(REFRESH_MS, () => this.refresh())
  }

  has(workspaceUuid: string): boolean {
    return this.#users.has(workspaceUuid)
  }

  get any(): boolean {
    return this.#users.size > 0
  }

  add(workspaceUuid: string): void {
    this.#users.add(workspaceUuid)
    this.#added.add(workspaceUuid)
  }

  async refresh(): Promise<void> {
    // An account that is added while the rows are read may be missing from them.
    this.#added = new Set()
    const version = await this.#store.version()
    if (version === this.#version) return
    const users = await this.#store.subscribers()
    this.#users = new Set([...users, ...this.#added])
    this.#version = version
  }

  close(): Promise<void> {
    return this.#background.close()
  }
}
