import { AppError } from '../../net/errors.ts'
import type { Mailer } from '../../net/mail.ts'
import type { Database } from '../../storage/db/database.ts'
import type { UserRow } from '../../accounts/users/users.store.ts'
import type { WorkspaceStore } from '../../accounts/users/workspaces.store.ts'
import type { BlockRow, BlockStore } from './blocks.store.ts'
import { readHostPattern, HostList } from './host-list.ts'
import { Background } from '../../work/background.ts'

export interface AbuseDependencies {
  readonly db: Database
  readonly store: BlockStore
  readonly workspaces: Pick<WorkspaceStore, 'oldestOwner'>
  readonly mailer: Mailer
  readonly contact: string | undefined
  /** Notifies every process that blocks have changed. */
  readonly blocksChanged: () => void
  readonly now: () => number
}

/** A link that is blocked or unblocked. */
export interface AbusedLink {
  readonly uuid: string
  readonly workspace_uuid: string
  readonly short_url: string
}

/** Blocks links, hosts and accounts for operators. */
export class AbuseService {
  readonly #deps: AbuseDependencies

  constructor(deps: AbuseDependencies) {
    this.#deps = deps
  }

  blockLink({ uuid }: AbusedLink, reason: string | null): Promise<void> {
    return this.#block('link', uuid, reason)
  }

  /** Separate from the change, so that no transaction waits for a mail server. */
  async notifyOfBlock(link: AbusedLink, reason: string | null): Promise<void> {
    const owner = await this.#deps.workspaces.oldestOwner(link.workspace_uuid)
    await this.#mail(owner, 'Your short link was blocked', [
      `The short link ${link.short_url} was blocked by the operator of this service. Visitors see a notice in its place.`,
      ...reasonLine(reason),
    ])
  }

  unblockLink({ uuid }: AbusedLink): Promise<void> {
    return this.#unblock('link', uuid, 'This link is not blocked')
  }

  /** Blocks a host as a destination; with a leading dot, its subdomains as well. */
  async blockHost(input: string, reason: string | null): Promise<string> {
    const host = hostOf(input)
    await this.#block('host', host, reason)
    return host
  }

  async unblockHost(input: string): Promise<string> {
    const host = hostOf(input)
    await this.#unblock('host', host, `${host} is not blocked`)
    return host
  }

  async listHosts(): Promise<BlockRow[]> {
    return (await this.#deps.store.listAll()).filter(({ kind }) => kind === 'host')
  }

  /** The workspace can no longer be used, its links and pages are blocked, and its first user cannot sign in. */
  suspend(workspaceUuid: string, reason: string | null): Promise<void> {
    return this.#block('user', workspaceUuid, reason)
  }

  /** `what` is the account or a workspace. */
  async notifyOfSuspension(owner: UserRow | undefined, what: string, reason: string | null): Promise<void> {
    await this.#mail(owner, `Your ${what} was suspended`, [
      `Your ${what} was suspended by the operator of this service. Its links and pages show a notice to visitors.`,
      ...reasonLine(reason),
    ])
  }

  resume(workspaceUuid: string, name: string): Promise<void> {
    return this.#unblock('user', workspaceUuid, `${name} is not suspended`)
  }

  async #block(kind: BlockRow['kind'], blocked: string, reason: string | null): Promise<void> {
    const { db, store, blocksChanged, now } = this.#deps
    await db.write(async () => {
      await store.insert({ subject: blocked, kind, reason, created_at: now() })
      db.afterCommit(blocksChanged)
    })
  }

  async #unblock(kind: BlockRow['kind'], blocked: string, absent: string): Promise<void> {
    const { db, store, blocksChanged } = this.#deps
    await db.write(async () => {
      if (!(await store.remove(kind, blocked))) throw new AppError('not_found', { message: absent })
      db.afterCommit(blocksChanged)
    })
  }

  async #mail(to: UserRow | undefined, subject: string, lines: readonly string[]): Promise<void> {
    const { mailer, contact } = this.#deps
    if (to === undefined) return
    const help = contact === undefined ? [] : [`If you think that this is a mistake, write to ${contact}.`]
    await mailer.send({ to: to.email, subject, text: [...lines, ...help].join('\n\n') })
  }
}

const reasonLine = (reason: string | null): string[] => (reason === null ? [] : [`Reason: ${reason}`])

const hostOf = (input: string): string => {
  const host = readHostPattern(URL.parse(input)?.hostname ?? input)
  if (host === undefined || host === '.')
    throw new AppError('validation', {
      errors: { host: ['Must be a host such as example.com, or .example.com'] },
    })
  return host
}

/** How soon a process notices blocks of another process or the command line. */
const REFRESH_MS = 1_000

/** A block as responses show it. */
export interface Block {
  readonly reason: string | null
  readonly createdAtMs: number
}

/** The parts of a link that operators can block. */
export interface Blockable {
  readonly uuid: string
  readonly workspaceUuid: string
  /** Every possible destination; only called while hosts are blocked. */
  readonly urls: () => readonly string[]
}

/** All blocks, in memory: they are few, and every look-up of a link checks them. */
export interface BlockRegistry {
  readonly blockOf: (link: Blockable) => Block | undefined
  /** The block of a destination's host. */
  readonly blockOfUrl: (url: string) => Block | undefined
  readonly isSuspended: (workspaceUuid: string) => boolean
  readonly refresh: () => Promise<void>
  readonly refreshSoon: () => void
  /** Calls back when blocks have changed, so that cached decisions can be dropped. */
  readonly onChange: (listener: () => void) => void
  readonly close: () => Promise<void>
}

export async function openBlockRegistry(
  store: Pick<BlockStore, 'version' | 'listAll'>,
): Promise<BlockRegistry> {
  const listeners: (() => void)[] = []
  let blocks: ReadonlyMap<string, BlockRow> = new Map()
  let hosts = new HostList([])
  let version = -1

  const refresh = async (): Promise<void> => {
    const current = await store.version()
    if (current === version) return
    const rows = await store.listAll()
    blocks = new Map(rows.map((row) => [row.subject, row]))
    hosts = new HostList(rows.filter(({ kind }) => kind === 'host').map(({ subject }) => subject))
    version = current
    for (const listener of listeners) listener()
  }
  await refresh()
  // While the database is unavailable, the last known blocks stay in force.
  const background = new Background(() => {})
  background.every(REFRESH_MS, refresh)

  const blockOfUrl = (url: string): Block | undefined => {
    const pattern = hosts.find(url)
    return pattern === undefined ? undefined : toBlock(blocks.get(pattern))
  }
  return {
    blockOf({ uuid, workspaceUuid, urls }) {
      if (blocks.size === 0) return undefined
      const own = toBlock(blocks.get(uuid)) ?? toBlock(blocks.get(workspaceUuid))
      if (own !== undefined || hosts.size === 0) return own
      for (const url of urls()) {
        const block = blockOfUrl(url)
        if (block !== undefined) return block
      }
      return undefined
    },
    blockOfUrl,
    isSuspended: (workspaceUuid) => blocks.has(workspaceUuid),
    refresh,
    refreshSoon: () => background.start(refresh),
    onChange: (listener) => void listeners.push(listener),
    close: () => background.close(),
  }
}

const toBlock = (row: BlockRow | undefined): Block | undefined =>
  row && { reason: row.reason, createdAtMs: row.created_at }
