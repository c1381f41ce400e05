import { namesUrl, type UploadedFile } from '@waymark/contract'
import type { Body, Data } from '@waymark/contract/schemas'
import { definedOf } from '../../modules/owned/field-map.ts'
import type { Caller } from '../../net/caller.ts'
import { AppError, fieldError } from '../../net/errors.ts'
import type { Limits } from '../../net/limits/limits.ts'
import type { BlobReferences, Staged } from '../../storage/blobs/blob-references.ts'
import type { Database } from '../../storage/db/database.ts'
import { readTotal } from '../../storage/db/totals.ts'
import { isoTime } from '../../work/times.ts'
import type { EndAccess, RetainedAccess } from '../access.ts'
import type { AccountMail, AccountNotice } from '../account-mail.ts'
import type { InvoiceService } from './invoices.service.ts'
import { workspaceRow } from './workspaces.service.ts'
import type { WorkspaceStore } from './workspaces.store.ts'
import { hashPassword, isPassword, NO_PASSWORD, takePasswordTry } from './passwords.ts'
import { periodsUntil, type Plans, quotaNames } from './plans.ts'
import type { UserRow, UserStore } from './users.store.ts'

export type Profile = Data<'updatePersonalInfo'>

export interface NewUser {
  readonly email: string
  /** Null: can only sign in with an OpenID provider. */
  readonly password: string | null
  readonly first_name?: string | null | undefined
  readonly last_name?: string | null | undefined
}

export interface AccountDependencies {
  readonly db: Database
  readonly users: UserStore
  readonly workspaces: WorkspaceStore
  readonly invoices: InvoiceService
  readonly plans: Plans
  readonly blobs: BlobReferences
  readonly limits: Limits
  readonly mediaUrl: (hash: string) => string
  readonly mail: Pick<AccountMail, 'enabled' | 'notify'>
  readonly endAccess: EndAccess
  readonly now: () => number
  readonly newId: () => string
}

/** Stores an uploaded picture before the transaction of its owner. */
const stage = async (
  blobs: BlobReferences,
  file: UploadedFile | null | undefined,
): Promise<Staged | undefined> =>
  file?.image === undefined ? undefined : blobs.stage(file.image.bytes, file.image)

/** A new password, and the user with the one that was verified. */
interface PreparedPassword {
  readonly user: UserRow
  readonly hash: string
}

const wrongPassword = (field: string): AppError => fieldError(field, 'This is not the current password')

const emailTaken = (): AppError => fieldError('email', 'This email is taken', 'email_taken')

export class AccountService {
  readonly #deps: AccountDependencies

  constructor(deps: AccountDependencies) {
    this.#deps = deps
  }

  /**
   * Accounts created on the command line are confirmed, and all accounts if there is no mail server. `within` runs in the same
   * transaction: if it fails, there is no account.
   */
  async create(
    { email, password, first_name, last_name }: NewUser,
    confirmed = !this.#deps.mail.enabled,
    within: (user: UserRow) => Promise<void> = () => Promise.resolve(),
  ): Promise<UserRow> {
    const { db, users, workspaces, invoices, plans, now, newId } = this.#deps
    // Before hashing, which costs a thousand times more; the insert has the final say.
    if ((await users.findByEmail(email)) !== undefined) throw emailTaken()
    const at = now()
    const row: UserRow = {
      uuid: newId(),
      email,
      password_hash: password === null ? NO_PASSWORD : await hashPassword(password),
      first_name: first_name ?? null,
      last_name: last_name ?? null,
      phone: null,
      address: null,
      image_hash: null,
      confirmed_at: confirmed ? at : null,
      created_at: at,
      updated_at: at,
      removed_at: null,
    }
    // The first workspace has the user's uuid.
    const name =
      row.first_name === null || namesUrl(row.first_name) ? 'My workspace' : `${row.first_name}’s workspace`
    const workspace = workspaceRow(row.uuid, name.slice(0, 60).toWellFormed(), plans.initial, at)
    await db.write(async () => {
      if (!(await users.insert(row))) throw emailTaken()
      await workspaces.insert(workspace, row.uuid)
      await invoices.issueDue(workspace)
      await within(row)
    })
    return row
  }

  async get(userUuid: string): Promise<Profile> {
    return this.present(await this.#find(userUuid))
  }

  /** Marks the address as confirmed without a mail, for operators. */
  async confirm(userUuid: string): Promise<void> {
    const { db, users, now } = this.#deps
    const { email } = await this.#find(userUuid)
    await db.write(() => users.confirm(userUuid, email, now()))
  }

  /** 403 until the account's address is confirmed: keys, domains and webhooks survive a password reset. */
  async requireConfirmed(userUuid: string): Promise<void> {
    if (!this.#deps.mail.enabled) return
    // A key that was kept when its creator was removed has no user; its creator was confirmed.
    const user = await this.#deps.users.find(userUuid)
    if (user?.confirmed_at === null) throw new AppError('email_unconfirmed')
  }

  /** Stores the decoded picture before the transaction of an edit. */
  async stagePicture(input: {
    image?: UploadedFile | null | undefined
    profile?: UploadedFile | null | undefined
  }) {
    return stage(this.#deps.blobs, input.image ?? input.profile)
  }

  async discardPicture(picture: Staged | undefined): Promise<void> {
    if (picture !== undefined) await this.#deps.blobs.discard(picture)
  }

  async edit(
    userUuid: string,
    input: Body<'updatePersonalInfo'>,
    picture: Staged | undefined,
  ): Promise<Profile> {
    const { db, users, blobs, now } = this.#deps
    const { image, profile, ...fields } = input
    const cleared = picture === undefined && (image === null || profile === null)
    const changes = { ...definedOf(fields), updated_at: now() }
    return db.write(async () => {
      const owner = `profile:${userUuid}`
      if (picture !== undefined || cleared) await blobs.release(owner)
      if (picture !== undefined) await blobs.adopt(picture, owner, { user: userUuid })
      const image_hash = picture?.hash ?? (cleared ? null : undefined)
      await users.update(userUuid, { ...changes, ...(image_hash !== undefined && { image_hash }) })
      return this.present(await this.#find(userUuid))
    })
  }

  async addFeedback(
    userUuid: string,
    feedback: string,
    picture: Staged | undefined,
  ): Promise<Data<'addFeedback'>> {
    const { db, blobs, mediaUrl, now, newId } = this.#deps
    const row = {
      uuid: newId(),
      user_uuid: userUuid,
      feedback,
      image_hash: picture?.hash ?? null,
      created_at: now(),
    }
    await db.write(async () => {
      await db.sql.insertInto('feedback').values(row).execute()
      if (picture !== undefined) await blobs.adopt(picture, `feedback:${row.uuid}`, { user: userUuid })
    })
    const image = row.image_hash === null ? null : mediaUrl(row.image_hash)
    return { uuid: row.uuid, feedback, image, created_at: isoTime(row.created_at) }
  }

  /** Verifies and hashes before the transaction, because both deliberately take tens of milliseconds. */
  async preparePassword(userUuid: string, input: Body<'updatePassword'>): Promise<PreparedPassword> {
    const user = await this.checkPassword(userUuid, input.old_password, 'old_password')
    return { user, hash: await hashPassword(input.password) }
  }

  /** Replaces the password that was verified. */
  async changePassword({ user, hash }: PreparedPassword, kept: RetainedAccess): Promise<void> {
    const { db, users } = this.#deps
    await db.write(async () => {
      if (!(await users.lockUnchanged(user))) throw wrongPassword('old_password')
      await this.setPassword(user.uuid, hash, kept, 'change')
    })
  }

  /** The user whose password this is. Rejects a wrong one with a field error; tries are limited. */
  async checkPassword(userUuid: string, password: string, field: string): Promise<UserRow> {
    const user = await this.#find(userUuid)
    const giveBack = await takePasswordTry(this.#deps.limits, { known: userUuid })
    if (!(await isPassword(password, user.password_hash))) throw wrongPassword(field)
    await giveBack()
    return user
  }

  /** Sets a password, ends access with the old one, and notifies the owner. */
  async setPassword(
    userUuid: string,
    passwordHash: string,
    kept: RetainedAccess,
    by: 'change' | 'reset',
  ): Promise<void> {
    const { db, users, mail, endAccess, now } = this.#deps
    await db.write(async () => {
      await users.update(userUuid, { password_hash: passwordHash, updated_at: now() })
      await endAccess(userUuid, kept)
      const notice: AccountNotice =
        by === 'change' ? { kind: 'password_changed' } : { kind: 'password_reset', keptKeys: kept.keys }
      db.afterCommit(() => mail.notify({ userUuid }, notice))
    })
  }

  /** The plan of a workspace, and how many workspaces the caller owns. */
  async currentPlan({
    workspaceUuid,
    userUuid,
  }: Pick<Caller, 'workspaceUuid' | 'userUuid'>): Promise<Data<'currentPlan'>> {
    const { db, workspaces, plans, invoices, now } = this.#deps
    const workspace = await workspaces.find(workspaceUuid)
    if (workspace === undefined) throw new AppError('not_found')
    await invoices.issueDue(workspace)
    const terms = plans.termsOf(workspace.plan)
    const usage = await Promise.all(
      quotaNames.map(async (name) => [name, await readTotal(db, workspaceUuid, name)] as const),
    )
    const owned = (await workspaces.listOf(userUuid)).filter(({ role }) => role === 'owner')
    const current = periodsUntil(workspace.plan_started_at, terms.interval, now()).at(-1)
    return {
      name: terms.name,
      price: terms.price,
      currency: terms.currency,
      interval: terms.interval,
      started_at: isoTime(workspace.plan_started_at),
      renews_at: isoTime(current?.endMs ?? workspace.plan_started_at),
      limits: { ...terms.limits, workspaces: terms.workspaces },
      usage: { ...Object.fromEntries(usage), workspaces: owned.length },
    }
  }

  /** A new plan starts a new period, with its invoice. */
  async setPlan(workspaceUuid: string, plan: string): Promise<void> {
    const { db, workspaces, invoices, plans, now } = this.#deps
    if (plans.find(plan) === undefined) throw fieldError('plan', `There is no plan ${plan}`)
    await db.write(async () => {
      const changes = { plan, plan_started_at: now(), updated_at: now() }
      await workspaces.update(workspaceUuid, changes)
      const workspace = await workspaces.find(workspaceUuid)
      if (workspace === undefined) throw new AppError('not_found', { message: 'There is no such workspace' })
      await invoices.issueDue(workspace)
    })
  }

  present(user: UserRow): Profile {
    const { email, first_name, last_name, phone, address, image_hash } = user
    const image = image_hash === null ? null : this.#deps.mediaUrl(image_hash)
    return { email, first_name, last_name, phone, address, image }
  }

  async #find(userUuid: string): Promise<UserRow> {
    const user = await this.#deps.users.find(userUuid)
    if (user === undefined) throw new AppError('key_invalid')
    return user
  }
}
