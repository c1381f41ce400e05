import { createHash, randomBytes } from 'node:crypto'
import type { Data } from '@waymark/contract/schemas'
import { AppError, fieldError } from '../../net/errors.ts'
import { addressBucket } from '../../net/client-address.ts'
import { type Limits, rateLimited, takeOrReject } from '../../net/limits/limits.ts'
import type { Database } from '../../storage/db/database.ts'
import type { Secrets } from '../../storage/secrets.ts'
import type { CodeTriesRow, PasskeyRow, SignInChallengeRow } from '../../storage/db/tables.ts'
import { DAY_MS, HOUR_MS, isoTime, isoTimeOrNull } from '../../work/times.ts'
import type { RequireWayIn } from '../access.ts'
import type { AccountMail } from '../account-mail.ts'
import { hasPassword, MINUTE_LIMIT } from '../users/passwords.ts'
import type { UserStore } from '../users/users.store.ts'
import type { FactorStore } from './factors.store.ts'
import type { PasskeyService, VerifiedPasskey } from './passkeys.service.ts'

const STEP_SECONDS = 30
const CHALLENGE_LIFE_MS = 5 * 60_000
const LINK_LIFE_MS = 60 * 60_000
const RECOVERY_CODES = 10
/** Wrong codes per hour and per day: at three valid codes in a million, a year of guessing finds one in thirty. */
const CODE_LIMITS = [
  { period: 'hour', ms: HOUR_MS, limit: 10 },
  { period: 'day', ms: DAY_MS, limit: 30 },
] as const
const BASE_32 = 'abcdefghijklmnopqrstuvwxyz234567'

export interface FactorDependencies {
  readonly db: Database
  readonly store: FactorStore
  readonly users: Pick<UserStore, 'find'>
  readonly secrets: Secrets
  readonly limits: Limits
  readonly mail: AccountMail
  readonly passkeys: PasskeyService
  readonly requireWayIn: RequireWayIn
  /** Notifies every process that the rights of a user have changed: workspaces can require a factor. */
  readonly callerChanged: () => void
  /** Shown in authenticator apps beside the email address. */
  readonly issuer: string
  readonly now: () => number
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** 80 random bits as four groups of four, so a plain hash of it cannot be reversed by guessing. */
const newRecoveryCode = (): string =>
  Array.from(randomBytes(16), (byte) => BASE_32[byte % 32])
    .join('')
    .replaceAll(/.{4}(?=.)/g, '$&-')

/** People type codes with spaces, hyphens and capitals. */
const plainCode = (code: string): string => code.replaceAll(/[\s-]/g, '').toLowerCase()

/** A recovery code is too long to be guessed, so wrong guesses of strangers do not use up its tries. */
export const isRecoveryCode = (code: string): boolean => /^[a-z2-7]{16}$/.test(plainCode(code))

type Method = 'totp' | 'passkey' | 'recovery'

/**
 * Who tries a code: the sessions of a user, the known browsers together, or anyone at any address who knows the password.
 * Known browsers share a count, because with the owner's mailbox each password reset makes another one known.
 */
export type CodeTrier =
  | { readonly userUuid: string; readonly trier: Exclude<CodeTriesRow['trier'], 'stranger'> }
  | { readonly userUuid: string; readonly trier: 'stranger'; readonly address: string }

/**
 * Second factors: an authenticator app (TOTP, RFC 6238), passkeys, and recovery codes for both; and sign-ins that wait for
 * one.
 */
export class FactorService {
  readonly #deps: FactorDependencies

  constructor(deps: FactorDependencies) {
    this.#deps = deps
  }

  async status(userUuid: string): Promise<Data<'secondFactors'>> {
    const { store, users, passkeys } = this.#deps
    const { confirmed_at = null } = (await store.findTotp(userUuid)) ?? {}
    const rows = await store.listPasskeys(userUuid)
    const hasFactor = confirmed_at !== null || rows.length > 0
    const user = await users.find(userUuid)
    return {
      password: user !== undefined && hasPassword(user),
      totp: confirmed_at !== null,
      totp_since: confirmed_at === null ? null : isoTime(confirmed_at),
      recovery_codes_left: hasFactor ? await store.countRecoveryCodes(userUuid) : 0,
      passkeys: rows.map(presentPasskey),
      passkeys_unavailable: passkeys.unavailable,
    }
  }

  async hasFactor(userUuid: string): Promise<boolean> {
    const { totp, passkeys } = await this.status(userUuid)
    return totp || passkeys.length > 0
  }

  /** The methods that can complete a sign-in; empty without a factor. */
  async methodsOf(userUuid: string): Promise<Method[]> {
    const { totp, passkeys, recovery_codes_left } = await this.status(userUuid)
    if (!totp && passkeys.length === 0) return []
    const isUsable = (await this.#deps.passkeys.usable(userUuid)).length > 0
    const methods: Method[] = [
      ...(totp ? (['totp'] as const) : []),
      ...(isUsable ? (['passkey'] as const) : []),
      ...(recovery_codes_left > 0 ? (['recovery'] as const) : []),
    ]
    // After a change of BASE_URL the passkeys do not work, but the password alone must not be enough.
    return methods.length > 0 ? methods : ['passkey']
  }

  async setUpTotp(userUuid: string): Promise<Data<'setUpTotp'>> {
    const { db, store, users, secrets, issuer, now } = this.#deps
    const { generateSecret, generateURI } = await import('otplib')
    const secret = generateSecret()
    const row = {
      user_uuid: userUuid,
      secret_sealed: secrets.seal(secret, userUuid),
      last_step: 0,
      created_at: now(),
      confirmed_at: null,
    }
    const user = await users.find(userUuid)
    if (user === undefined) throw new AppError('session_missing')
    if (!(await db.write(() => store.insertTotp(row)))) throw new AppError('totp_present')
    return { secret, otpauth_url: generateURI({ issuer, label: user.email, secret }) }
  }

  /** The first code enables the authenticator app. Returns the recovery codes, which are not shown again. */
  async confirmTotp(userUuid: string, code: string): Promise<Data<'confirmTotp'>> {
    const { db, store, now } = this.#deps
    return db.write(async () => {
      await store.lockUser(userUuid)
      const row = await store.findTotp(userUuid)
      if (row === undefined) throw new AppError('totp_absent')
      if (row.confirmed_at !== null) throw new AppError('totp_present')
      const step = await this.#stepOf(userUuid, row.secret_sealed, plainCode(code))
      if (step === undefined || !(await store.useStep(userUuid, step)))
        throw fieldError('code', 'This code is not valid; enter the one that the app shows now')
      if (!(await store.confirmTotp(row, now()))) throw new AppError('conflict')
      this.#notify(userUuid, 'An authenticator app was set up as second factor of your Waymark account.')
      return this.#newRecoveryCodes(userUuid)
    })
  }

  async removeTotp(userUuid: string): Promise<Data<'removeTotp'>> {
    const { db, store } = this.#deps
    await db.write(async () => {
      await store.lockUser(userUuid)
      if (!(await store.removeTotp(userUuid))) throw new AppError('totp_absent')
      await this.#removeUnneededCodes(userUuid)
      this.#notify(userUuid, 'The authenticator app of your Waymark account was removed.')
    })
    return this.status(userUuid)
  }

  /** Stores a verified passkey. A user's first factor also creates recovery codes. */
  addPasskey(passkey: Awaited<ReturnType<PasskeyService['verifyNew']>>): Promise<Data<'addPasskey'>> {
    const { db, store, passkeys } = this.#deps
    const { row } = passkey
    return db.write(async () => {
      await store.lockUser(row.user_uuid)
      const isFirst = !(await this.hasFactor(row.user_uuid))
      await passkeys.insert(passkey)
      this.#notify(row.user_uuid, `The passkey “${row.name}” was added to your Waymark account.`)
      const { recovery_codes } = isFirst
        ? await this.#newRecoveryCodes(row.user_uuid)
        : { recovery_codes: [] }
      return { passkey: presentPasskey(row), recovery_codes }
    })
  }

  /** Rejected for the last way to sign in. A passkey of another address does not count as one. */
  async removePasskey(userUuid: string, uuid: string): Promise<Data<'removePasskey'>> {
    const { db, store, passkeys, requireWayIn } = this.#deps
    await db.write(async () => {
      await store.lockUser(userUuid)
      const row = (await store.listPasskeys(userUuid)).find((each) => each.uuid === uuid)
      if (row === undefined) throw new AppError('not_found')
      const isWayIn = (await passkeys.usable(userUuid)).some((each) => each.uuid === uuid)
      await store.removePasskeys(userUuid, uuid)
      if (isWayIn) await requireWayIn(userUuid)
      await this.#removeUnneededCodes(userUuid)
      this.#notify(userUuid, `The passkey “${row.name}” was removed from your Waymark account.`)
    })
    return this.status(userUuid)
  }

  /** For operators: a user who has lost everything can sign in with only the password. */
  async reset(userUuid: string): Promise<boolean> {
    const { db, store } = this.#deps
    return db.write(async () => {
      await store.lockUser(userUuid)
      const [app, passkeys] = [await store.removeTotp(userUuid), await store.removePasskeys(userUuid)]
      await store.replaceRecoveryCodes(userUuid, [])
      if (app || passkeys)
        this.#notify(userUuid, 'The operator of this instance removed the second factor of your account.')
      return app || passkeys
    })
  }

  async replaceRecoveryCodes(userUuid: string): Promise<Data<'replaceRecoveryCodes'>> {
    return this.#deps.db.write(async () => {
      await this.#deps.store.lockUser(userUuid)
      if (!(await this.hasFactor(userUuid))) throw new AppError('factor_absent')
      this.#notify(userUuid, 'New recovery codes were created for your Waymark account.')
      return this.#newRecoveryCodes(userUuid)
    })
  }

  /** Uses up a code of the app, or a recovery code. False if it is wrong or was used. The caller counts tries. */
  useCode(userUuid: string, typed: string): Promise<boolean> {
    const { db, store } = this.#deps
    const code = plainCode(typed)
    return db.write(async () => {
      const row = await store.findTotp(userUuid)
      if (row !== undefined && row.confirmed_at !== null) {
        const step = await this.#stepOf(userUuid, row.secret_sealed, code)
        if (step !== undefined) return store.useStep(userUuid, step)
      }
      if (!(await store.useRecoveryCode(userUuid, hashOf(code)))) return false
      const left = await store.countRecoveryCodes(userUuid)
      this.#notify(userUuid, `A recovery code of your Waymark account was used; ${left} are left.`)
      return true
    })
  }

  /** Rejects a wrong code of a signed-in user with a field error. The caller counts tries. */
  async checkCode(userUuid: string, code: string): Promise<void> {
    if (!(await this.useCode(userUuid, code)))
      throw fieldError('code', 'This code is wrong or was already used')
  }

  /**
   * Counts a try before the code is checked, outside of its transaction; returns a function that takes it back if the code
   * was right. Codes that cannot be guessed count only per minute, so that the owner has a way in while others guess.
   */
  async takeTry(by: CodeTrier, code: string): Promise<() => Promise<void>> {
    const { limits, now } = this.#deps
    const { userUuid, trier } = by
    const often = `${trier}:${userUuid}${by.trier === 'stranger' ? `:${addressBucket(by.address)}` : ''}`
    await takeOrReject(limits, `code:${often}`, MINUTE_LIMIT)
    if (isRecoveryCode(code)) return () => Promise.resolve()
    const at = now()
    for (const each of CODE_LIMITS)
      if ((await this.#addTries(by, each, at, 1)) > each.limit) throw rateLimited(each.ms - (at % each.ms))
    return async () => {
      for (const each of CODE_LIMITS) await this.#addTries(by, each, at, -1)
    }
  }

  #addTries(
    { userUuid, trier }: CodeTrier,
    { period, ms }: (typeof CODE_LIMITS)[number],
    atMs: number,
    count: number,
  ): Promise<number> {
    const { db, store } = this.#deps
    const row = { user_uuid: userUuid, trier, period, began_at: Math.floor(atMs / ms) * ms, count }
    return db.write(() => store.addTry(row))
  }

  /** A sign-in after its first step: returns the token that represents it until the second factor. */
  async beginChallenge(userUuid: string, firstStep: string): Promise<string> {
    return (await this.#newChallenge('factor', userUuid, CHALLENGE_LIFE_MS, firstStep)).token
  }

  /** The token of a link that signs a user in once, for an operator to pass on. */
  createLink(userUuid: string): Promise<{ token: string; expiresAtMs: number }> {
    return this.#newChallenge('link', userUuid, LINK_LIFE_MS)
  }

  /** The user of the link, which is used up. */
  async takeLink(token: string): Promise<string> {
    const { db, store, now } = this.#deps
    const hash = hashOf(token)
    return db.write(async () => {
      const challenge = await store.findChallenge('link', hash, now())
      if (challenge === undefined || !(await store.removeChallenge(hash))) throw new AppError('token_invalid')
      return challenge.user_uuid
    })
  }

  async #newChallenge(
    kind: SignInChallengeRow['kind'],
    userUuid: string,
    lifeMs: number,
    firstStep: string | null = null,
  ) {
    const { db, store, now } = this.#deps
    const token = randomBytes(32).toString('base64url')
    const expiresAtMs = now() + lifeMs
    await db.write(() =>
      store.insertChallenge({
        token_hash: hashOf(token),
        kind,
        user_uuid: userUuid,
        first_step: firstStep,
        expires_at: expiresAtMs,
      }),
    )
    return { token, expiresAtMs }
  }

  /** The sign-in of a challenge. */
  findChallenge(token: string): ReturnType<FactorStore['findChallenge']> {
    return this.#deps.store.findChallenge('factor', hashOf(token), this.#deps.now())
  }

  /** Ends the challenge if the code or passkey is right; each works once. */
  async completeChallenge(token: string, userUuid: string, given: string | VerifiedPasskey): Promise<void> {
    const { db, store, passkeys } = this.#deps
    await db.write(async () => {
      if (!(await store.removeChallenge(hashOf(token)))) throw new AppError('challenge_invalid')
      if (typeof given !== 'string') {
        if (!(await passkeys.use(given))) throw new AppError('passkey_failed')
      } else if (!(await this.useCode(userUuid, given))) throw new AppError('second_factor_failed')
    })
  }

  /** A new password ends sign-ins that began with the old one. */
  async removeChallenges(userUuid: string): Promise<void> {
    const { db, store } = this.#deps
    await db.write(() => store.removeChallenges(userUuid))
  }

  async sweep(): Promise<void> {
    const { db, store, now } = this.#deps
    await db.write(() => store.removeExpiredChallenges(now()))
  }

  /** The 30-second step of a code: the current one or an adjacent one. */
  async #stepOf(userUuid: string, sealed: string, code: string): Promise<number | undefined> {
    if (!/^\d{6}$/.test(code)) return undefined
    const { verifySync } = await import('otplib')
    const result = verifySync({
      secret: this.#deps.secrets.open(sealed, userUuid),
      token: code,
      epoch: Math.floor(this.#deps.now() / 1000),
      epochTolerance: STEP_SECONDS,
    })
    return result.valid && 'timeStep' in result ? result.timeStep : undefined
  }

  async #newRecoveryCodes(userUuid: string): Promise<{ recovery_codes: string[] }> {
    const recovery_codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
    const hashes = recovery_codes.map((code) => hashOf(plainCode(code)))
    await this.#deps.store.replaceRecoveryCodes(userUuid, hashes)
    return { recovery_codes }
  }

  /** Recovery codes replace a factor: without a factor they are removed as well. */
  async #removeUnneededCodes(userUuid: string): Promise<void> {
    if (!(await this.hasFactor(userUuid))) await this.#deps.store.replaceRecoveryCodes(userUuid, [])
  }

  /** Notifies the owner and the other processes; within the transaction of the change. */
  #notify(userUuid: string, change: string): void {
    const { db, mail, callerChanged } = this.#deps
    db.afterCommit(callerChanged)
    db.afterCommit(() => mail.notify({ userUuid }, { kind: 'second_factor', change }))
  }
}

const presentPasskey = ({ uuid, name, created_at, last_used_at }: PasskeyRow) => ({
  uuid,
  name,
  created_at: isoTime(created_at),
  last_used_at: isoTimeOrNull(last_used_at),
})
