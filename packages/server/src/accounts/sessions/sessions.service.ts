import { createHash, randomBytes } from 'node:crypto'
import type { Data } from '@waymark/contract/schemas'
import { stringifySetCookie } from 'cookie'
import type { Caller } from '../../net/caller.ts'
import { AppError } from '../../net/errors.ts'
import type { Database } from '../../storage/db/database.ts'
import { DAY_MS, isoTime } from '../../work/times.ts'
import type { SessionRow, SessionStore } from './sessions.store.ts'

const LIFE_MS = 30 * DAY_MS
const ROTATE_MS = 15 * 60 * 1000
/** Requests in progress while the token changed still use the old one. */
const OVERLAP_MS = 60_000

export interface SessionDependencies {
  readonly db: Database
  readonly store: SessionStore
  /** The first workspace of a user; undefined if the user is not a member of any. */
  readonly firstWorkspaceOf: (userUuid: string) => Promise<string | undefined>
  /** Whether browsers use HTTPS, so that the cookie can be restricted to it. */
  readonly secure: boolean
  readonly now: () => number
  readonly newId: () => string
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')
const newToken = (): string => randomBytes(32).toString('base64url')

/** Whether the current token has been used since it was sent. */
const hasArrived = (row: SessionRow): boolean => row.last_used_at > row.rotated_at

/** The name of the session cookie; browsers accept the prefix only over HTTPS. */
export const sessionCookieName = (secure: boolean): string => (secure ? '__Host-waymark' : 'waymark')

export class SessionService {
  readonly #deps: SessionDependencies

  constructor(deps: SessionDependencies) {
    this.#deps = deps
  }

  /** Starts a session and returns its cookie. */
  async begin(
    userUuid: string,
    userAgent: string | undefined,
    country: string | null = null,
  ): Promise<string> {
    const { db, store, now, newId } = this.#deps
    const token = newToken()
    const at = now()
    await db.write(() =>
      store.insert({
        uuid: newId(),
        user_uuid: userUuid,
        token_hash: hashOf(token),
        previous_token_hash: null,
        rotated_at: at,
        proved_at: at,
        user_agent: userAgent?.slice(0, 512).toWellFormed() ?? null,
        country,
        created_at: at,
        last_used_at: at,
        expires_at: at + LIFE_MS,
      }),
    )
    return this.cookie(token)
  }

  /** The caller of a token. A token that has been in use for a while is exchanged for a new one. */
  async find(token: string): Promise<Caller | undefined> {
    const { db, store, firstWorkspaceOf, now } = this.#deps
    const at = now()
    const tokenHash = hashOf(token)
    const row = await store.findByToken(tokenHash, at)
    if (row === undefined) return undefined
    const caller: Caller = {
      kind: 'session',
      uuid: row.uuid,
      userUuid: row.user_uuid,
      workspaceUuid: (await firstWorkspaceOf(row.user_uuid)) ?? row.user_uuid,
      provedAtMs: row.proved_at,
    }
    if (row.token_hash !== tokenHash) return this.#byPreviousToken(row, caller, at)
    if (at - row.rotated_at >= ROTATE_MS) return this.#rotate(row, caller, tokenHash, at)
    // The first use of a token shows that it has arrived.
    const last_used_at = Math.max(at, row.rotated_at + 1)
    if (!hasArrived(row)) await db.write(() => store.update(row.uuid, tokenHash, { last_used_at }))
    return caller
  }

  async #rotate(row: SessionRow, caller: Caller, previousHash: string, at: number): Promise<Caller> {
    const { db, store } = this.#deps
    const next = newToken()
    const changes = {
      token_hash: hashOf(next),
      previous_token_hash: previousHash,
      rotated_at: at,
      proved_at: caller.provedAtMs ?? 0,
      last_used_at: at,
      expires_at: at + LIFE_MS,
    }
    const rotated = await db.write(() => store.update(row.uuid, row.token_hash, changes))
    return rotated ? { ...caller, setCookie: this.cookie(next) } : caller
  }

  /**
   * Requests in progress during the exchange still use the old token. Long after it, either the response with the new token
   * was lost, and it is exchanged again; or the new token has been used, and one of the two was stolen.
   */
  async #byPreviousToken(row: SessionRow, caller: Caller, at: number): Promise<Caller | undefined> {
    const { db, store } = this.#deps
    // The old token may have been stolen, so a later proof does not apply to it.
    const unproved = { ...caller, provedAtMs: 0 }
    if (at - row.rotated_at <= OVERLAP_MS) return unproved
    if (!hasArrived(row)) return this.#rotate(row, unproved, row.previous_token_hash ?? '', at)
    await db.write(() => store.remove(row.user_uuid, row.uuid))
    return undefined
  }

  /**
   * Records a proof of identity: returns the cookie of a new token, which alone has the proof. `use` marks single-use proofs
   * as used in the same transaction.
   */
  async prove({ uuid }: Caller, use: () => Promise<void> = () => Promise.resolve()): Promise<string> {
    const { db, store, now } = this.#deps
    const token = newToken()
    await db.write(async () => {
      await use()
      if (!(await store.prove(uuid, hashOf(token), now()))) throw new AppError('session_missing')
    })
    return this.cookie(token)
  }

  /**
   * Replaces a session whose user has changed the password, and returns the cookie of the new one. The old token, and
   * everything that runs under it, ends at once.
   */
  async replace({ uuid, userUuid }: Caller): Promise<string> {
    const { db, store, now, newId } = this.#deps
    const token = newToken()
    await db.write(async () => {
      const row = await store.find(uuid)
      if (row === undefined) throw new AppError('session_missing')
      await store.remove(userUuid, uuid)
      const at = now()
      const times = { rotated_at: at, proved_at: at, last_used_at: at }
      const tokens = { token_hash: hashOf(token), previous_token_hash: null }
      await store.insert({ ...row, ...times, ...tokens, uuid: newId() })
    })
    return this.cookie(token)
  }

  /** Rejects a write whose session has ended since the request was authorised; inside its transaction. */
  async requirePresent({ uuid }: Caller): Promise<void> {
    if (!(await this.#deps.store.lock(uuid))) throw new AppError('session_missing')
  }

  /** Those of the sessions that have not ended. */
  findAll(uuids: readonly string[]): Promise<string[]> {
    return this.#deps.store.findAll(uuids, this.#deps.now())
  }

  async list(caller: Caller): Promise<Data<'sessions'>> {
    const rows = await this.#deps.store.list(caller.userUuid, this.#deps.now())
    return rows.map((row) => ({
      uuid: row.uuid,
      user_agent: row.user_agent,
      country: row.country,
      created_at: isoTime(row.created_at),
      last_used_at: isoTime(row.last_used_at),
      current: row.uuid === caller.uuid,
    }))
  }

  async remove(userUuid: string, uuid: string): Promise<{ uuid: string }> {
    const { db, store } = this.#deps
    if (!(await db.write(() => store.remove(userUuid, uuid)))) throw new AppError('not_found')
    return { uuid }
  }

  async removeOthers(userUuid: string, kept: string | undefined): Promise<void> {
    const { db, store } = this.#deps
    await db.write(() => store.removeOthers(userUuid, kept))
  }

  /** Invalidates reset links, and a pending change of address. */
  async removeMailedLinks(userUuid: string): Promise<void> {
    const { db, store } = this.#deps
    await db.write(async () => {
      await store.removeResets(userUuid)
      await store.removeEmailChange(userUuid)
    })
  }

  async sweep(): Promise<void> {
    const { db, store, now } = this.#deps
    await db.write(() => store.removeExpired(now()))
  }

  /** The cookie of a token; without one, the cookie that deletes it in the browser. */
  cookie(token: string | undefined): string {
    const { secure } = this.#deps
    return stringifySetCookie({
      name: sessionCookieName(secure),
      value: token ?? '',
      httpOnly: true,
      sameSite: 'lax',
      secure,
      path: '/',
      maxAge: token === undefined ? 0 : LIFE_MS / 1000,
    })
  }
}
