import { AppError } from '../../net/errors.ts'
import type { Mailer } from '../../net/mail.ts'
import type { Database } from '../../storage/db/database.ts'
import type { UserRow } from '../../accounts/users/users.store.ts'
import type { WorkspaceStore } from '../../accounts/users/workspaces.store.ts'
import type { BlockRow, BlockStore } from './blocks.store.ts'
import { readHostPattern } from '../../visitors/host-list.ts'

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
