import { createHash, randomBytes } from 'node:crypto'
import { isAtLeast, namesUrl, type Role, roles } from '@waymark/contract'
import type { Body, Data } from '@waymark/contract/schemas'
import { LRUCache } from 'lru-cache'
import { type Caller, type Membership, personOf } from '../../net/caller.ts'
import { AppError, fieldError } from '../../net/errors.ts'
import type { Limits } from '../../net/limits/limits.ts'
import { takeOrReject } from '../../net/limits/limits.ts'
import type { Database } from '../../storage/db/database.ts'
import { DAY_MS, isoTime } from '../../work/times.ts'
import type { AccountMail } from '../account-mail.ts'
import type { InvoiceService } from './invoices.service.ts'
import type { Plans } from './plans.ts'
import type { UserRow, UserStore } from './users.store.ts'
import type {
  InvitationRow,
  MemberUser,
  OwnWorkspace,
  WorkspaceRow,
  WorkspaceStore,
} from './workspaces.store.ts'

type Workspace = Data<'createWorkspace'>
type Member = Data<'members'>[number]
type Invitation = Data<'invitations'>[number]
type Acting = Pick<Caller, 'userUuid' | 'workspaceUuid' | 'byOperator' | 'keptRole'>

const INVITATION_LIFE_MS = 7 * DAY_MS
const INVITATIONS_A_DAY = 50
const MAX_MEMBERSHIPS = 50
const MAX_MAIL_NAME = 100

export interface WorkspaceDependencies {
  readonly db: Database
  readonly store: WorkspaceStore
  readonly users: UserStore
  readonly invoices: InvoiceService
  readonly plans: Plans
  readonly limits: Limits
  readonly mail: AccountMail
  /** Revokes the keys and tokens that a user created in a workspace, or keeps them with a role. */
  readonly endMembership: (userUuid: string, workspaceUuid: string, keptRole?: Role) => Promise<void>
  /** Whether a user has set up a second factor. */
  readonly hasFactor: (userUuid: string) => Promise<boolean>
  /** Notifies every process that rights have changed. */
  readonly callerChanged: () => void
  readonly dashboardUrl: string
  readonly now: () => number
  readonly newId: () => string
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

const nameOf = ({
  first_name,
  last_name,
  email,
}: Pick<UserRow, 'first_name' | 'last_name' | 'email'>): string =>
  [first_name, last_name].filter((part) => part !== null && part !== '').join(' ') || email

/** Invitations go to strangers: no text of its author's choice but a name. */
const mailNameOf = (user: UserRow): string => {
  const name = nameOf(user)
  return name.length > MAX_MAIL_NAME || namesUrl(name) ? user.email : name
}

/** A new workspace without rows. */
export const workspaceRow = (uuid: string, name: string, plan: string, at: number): WorkspaceRow => ({
  uuid,
  name,
  brand_kit: null,
  plan,
  plan_started_at: at,
  require_second_factor: 0,
  created_at: at,
  updated_at: at,
  removed_at: null,
})

/** Workspaces, their members, and invitations to them. */
export class WorkspaceService {
  readonly #deps: WorkspaceDependencies

  constructor(deps: WorkspaceDependencies) {
    this.#deps = deps
  }

  async list(userUuid: string): Promise<Workspace[]> {
    const { store } = this.#deps
    const rows = await store.listOf(userUuid)
    const counts = await store.countMembers(rows.map(({ uuid }) => uuid))
    return rows.map((row) => present(row, counts.get(row.uuid) ?? 0))
  }

  async create(userUuid: string, name: string): Promise<Workspace> {
    const { db, store, users, plans, invoices, now, newId } = this.#deps
    const row = workspaceRow(newId(), name, plans.initial, now())
    await db.write(async () => {
      await users.lock(userUuid)
      if ((await users.find(userUuid)) === undefined) throw new AppError('key_invalid')
      const mine = await store.listOf(userUuid)
      const [first] = mine
      // The plan of another owner's workspace is not that of this user.
      const { workspaces: limit } = plans.termsOf(first?.role === 'owner' ? first.plan : plans.initial)
      if (limit !== null && mine.filter(({ role }) => role === 'owner').length >= limit)
        throw new AppError('quota_reached', {
          message: `Your plan allows ${limit} workspaces; remove one or choose a larger plan`,
        })
      if (mine.length >= MAX_MEMBERSHIPS) throw new AppError('too_many_workspaces')
      await store.insert(row, userUuid)
      await invoices.issueDue(row)
      this.#changed()
    })
    return present({ ...row, role: 'owner' }, 1)
  }

  async edit(acting: Acting, fields: Body<'editWorkspace'>): Promise<Workspace> {
    const { db, store, hasFactor, now } = this.#deps
    const { workspaceUuid, userUuid } = acting
    const { name, require_second_factor } = fields
    return db.write(async () => {
      if (require_second_factor === true && !(await hasFactor(userUuid)))
        throw fieldError('require_second_factor', 'Set up a second factor of your own first')
      await store.update(workspaceUuid, {
        ...(name != null && { name }),
        ...(require_second_factor != null && { require_second_factor: require_second_factor ? 1 : 0 }),
        updated_at: now(),
      })
      this.#changed()
      return this.#get(acting)
    })
  }

  async listMembers(workspaceUuid: string): Promise<Member[]> {
    return (await this.#deps.store.listMembers(workspaceUuid)).map(presentMember)
  }

  /** The role of a member; of users who are not members the lowest, so that they are not found instead. */
  async roleOf(workspaceUuid: string, userUuid: string): Promise<Role> {
    const members = await this.#deps.store.listMembers(workspaceUuid)
    return members.find(({ uuid }) => uuid === userUuid)?.role ?? 'viewer'
  }

  /** Only owners can create and change owners. */
  async editMember(acting: Acting, { uuid, role }: Body<'editMember'>): Promise<Member> {
    const { db, store } = this.#deps
    return db.write(async () => {
      const { workspaceUuid } = acting
      const { member, members, owners } = await this.#lockMember(workspaceUuid, uuid)
      requireRole(acting, members, role === 'owner' || member.role === 'owner' ? 'owner' : 'admin')
      if (member.role === 'owner' && role !== 'owner' && owners === 1) throw new AppError('last_owner')
      await store.updateMember(workspaceUuid, uuid, role)
      const to = roles.filter((each) => !isAtLeast(role, leastToGrant(each)))
      if (to.length > 0) await store.removeInvitationsBy(uuid, { workspaceUuid, to })
      this.#changed()
      return presentMember({ ...member, role })
    })
  }

  async removeMember(acting: Acting, { uuid, keep_keys }: Body<'removeMember'>): Promise<{ uuid: string }> {
    const { db } = this.#deps
    await db.write(async () => {
      const { member, members, owners } = await this.#lockMember(acting.workspaceUuid, uuid)
      requireRole(acting, members, member.role === 'owner' ? 'owner' : 'admin')
      // A member who removes themselves leaves: keeping the keys is up to the members who stay.
      const keptRole = keep_keys === true && uuid !== acting.userUuid ? member.role : undefined
      await this.#remove(acting.workspaceUuid, member, owners, keptRole)
    })
    return { uuid }
  }

  async leave(userUuid: string, workspaceUuid: string): Promise<{ uuid: string }> {
    await this.#deps.db.write(async () => {
      const { member, owners } = await this.#lockMember(workspaceUuid, userUuid)
      await this.#remove(workspaceUuid, member, owners, undefined)
    })
    return { uuid: workspaceUuid }
  }

  async #remove(
    workspaceUuid: string,
    { uuid, role }: MemberUser,
    owners: number,
    keptRole: Role | undefined,
  ): Promise<void> {
    const { store, endMembership } = this.#deps
    if (role === 'owner' && owners === 1) throw new AppError('last_owner')
    await store.removeMember(workspaceUuid, uuid)
    await endMembership(uuid, workspaceUuid, keptRole)
    this.#changed()
  }

  /** The member, read after locking the workspace: of two requests, the second sees the result of the first. */
  async #lockMember(workspaceUuid: string, userUuid: string) {
    const { store } = this.#deps
    await store.lock([workspaceUuid])
    const members = (await store.find(workspaceUuid)) && (await store.listMembers(workspaceUuid))
    const member = members?.find(({ uuid }) => uuid === userUuid)
    if (members === undefined || member === undefined) throw new AppError('not_found')
    return { member, members, owners: members.filter(({ role }) => role === 'owner').length }
  }

  async listInvitations(workspaceUuid: string): Promise<Invitation[]> {
    const { store, now } = this.#deps
    return (await store.listInvitations(workspaceUuid, now())).map(presentInvitation)
  }

  /** Counted before the transaction, so that a rejected try counts as well. */
  async admitInvitation({ workspaceUuid }: Acting): Promise<void> {
    await takeOrReject(this.#deps.limits, `invite:${workspaceUuid}`, INVITATIONS_A_DAY, DAY_MS)
  }

  async invite(
    acting: Acting & Pick<Caller, 'kind' | 'uuid'>,
    { email, role }: Body<'inviteMember'>,
    acceptLanguage?: string,
  ): Promise<Data<'inviteMember'>> {
    const { db, store, users, mail, dashboardUrl, now, newId } = this.#deps
    const { workspaceUuid, userUuid } = acting
    const token = randomBytes(32).toString('base64url')
    const at = now()
    const row: InvitationRow = {
      uuid: newId(),
      workspace_uuid: workspaceUuid,
      email,
      role,
      token_hash: hashOf(token),
      created_by: personOf(acting) ?? null,
      credential_uuid: acting.kind === 'session' ? null : acting.uuid,
      created_at: at,
      expires_at: at + INVITATION_LIFE_MS,
    }
    const invite_url = `${dashboardUrl}/invitation?token=${token}`
    await db.write(async () => {
      await store.lock([workspaceUuid])
      const workspace = await store.find(workspaceUuid)
      if (workspace === undefined) throw new AppError('not_found')
      await store.removeExpiredInvitations(at)
      const [members, invited] = [
        await store.listMembers(workspaceUuid),
        await store.listInvitations(workspaceUuid, at),
      ]
      requireRole(acting, members, leastToGrant(role))
      const errors = { email: ['This address is a member or invited already'] }
      if (members.some((member) => member.email === email)) throw new AppError('member_already', { errors })
      if (invited.some((each) => each.email === email)) throw new AppError('invited_already', { errors })
      await store.insertInvitation(row)
      const inviter = await users.find(userUuid)
      const from = {
        workspace: workspace.name,
        name: inviter === undefined ? 'Someone' : mailNameOf(inviter),
      }
      db.afterCommit(() => mail.sendInvitation(email, from, invite_url, acceptLanguage))
    })
    return { ...presentInvitation(row), invite_url }
  }

  async removeInvitation(workspaceUuid: string, uuid: string): Promise<{ uuid: string }> {
    const { db, store } = this.#deps
    if (!(await db.write(() => store.removeInvitation(workspaceUuid, uuid)))) throw new AppError('not_found')
    return { uuid }
  }

  /** Whether a token permits signing up and accepting. */
  async isInvitation(token: string): Promise<boolean> {
    return (await this.#deps.store.findInvitation(hashOf(token), this.#deps.now())) !== undefined
  }

  async checkInvitation(token: string): Promise<Data<'checkInvitation'>> {
    const { store, users, now } = this.#deps
    const row = await store.findInvitation(hashOf(token), now())
    if (row === undefined) throw invitationGone()
    const workspace = await store.find(row.workspace_uuid)
    const inviter = row.created_by === null ? undefined : await users.find(row.created_by)
    return {
      workspace: workspace?.name ?? '',
      role: row.role,
      email: row.email,
      invited_by: inviter === undefined ? null : nameOf(inviter),
      expires_at: isoTime(row.expires_at),
    }
  }

  /** The holder of the link joins with the account that is signed in. */
  async accept(userUuid: string, token: string): Promise<Workspace> {
    const joined = await this.join(userUuid, token)
    if (joined === undefined) throw invitationGone()
    return joined
  }

  /** Uses an invitation up. Undefined if it is not valid. */
  async join(userUuid: string, token: string): Promise<Workspace | undefined> {
    const { db, store, users, mail, now } = this.#deps
    return db.write(async () => {
      const row = await store.findInvitation(hashOf(token), now())
      if (row === undefined) return undefined
      await store.lock([row.workspace_uuid])
      if (!(await store.removeInvitation(row.workspace_uuid, row.uuid))) return undefined
      await users.lock(userUuid)
      const member = await users.find(userUuid)
      if (member === undefined) throw new AppError('session_missing')
      const mine = await store.listOf(userUuid)
      if (mine.some(({ uuid }) => uuid === row.workspace_uuid)) throw new AppError('member_already')
      if (mine.length >= MAX_MEMBERSHIPS) throw new AppError('too_many_workspaces')
      await store.insertMember({
        workspace_uuid: row.workspace_uuid,
        user_uuid: userUuid,
        role: row.role,
        created_at: now(),
      })
      this.#changed()
      const joined = await this.#get({ userUuid, workspaceUuid: row.workspace_uuid })
      const { created_by: inviter } = row
      if (inviter !== null)
        db.afterCommit(() =>
          mail.notify(
            { userUuid: inviter },
            { kind: 'member_joined', email: member.email, workspace: joined.name },
          ),
        )
      return joined
    })
  }

  async #get({ userUuid, workspaceUuid, keptRole }: Acting): Promise<Workspace> {
    const found = (await this.list(userUuid)).find(({ uuid }) => uuid === workspaceUuid)
    if (found !== undefined) return found
    // Keys of the command line, and kept ones, act for a workspace that they have no member in.
    const row = await this.#deps.store.find(workspaceUuid)
    if (row === undefined) throw new AppError('not_found')
    const counts = await this.#deps.store.countMembers([workspaceUuid])
    return present({ ...row, role: keptRole ?? 'owner' }, counts.get(workspaceUuid) ?? 0)
  }

  #changed(): void {
    const { db, callerChanged } = this.#deps
    db.afterCommit(callerChanged)
  }
}

const KNOWN_FOR_MS = 900
const KNOWN_USERS = 10_000

/** Memberships, cached as long as keys are. */
export class MembershipCache {
  readonly #store: Pick<WorkspaceStore, 'listOf'>
  readonly #hasFactor: (userUuid: string) => Promise<boolean>
  readonly #known = new LRUCache<string, readonly Membership[]>({ max: KNOWN_USERS, ttl: KNOWN_FOR_MS })

  constructor(store: Pick<WorkspaceStore, 'listOf'>, hasFactor: (userUuid: string) => Promise<boolean>) {
    this.#store = store
    this.#hasFactor = hasFactor
  }

  async of(userUuid: string): Promise<readonly Membership[]> {
    const cached = this.#known.get(userUuid)
    if (cached !== undefined) return cached
    const rows = await this.#store.listOf(userUuid)
    const isRequired = rows.some(({ require_second_factor }) => require_second_factor === 1)
    const lacksFactor = isRequired && !(await this.#hasFactor(userUuid))
    const found = rows.map(({ uuid, role, require_second_factor }): Membership => ({
      workspaceUuid: uuid,
      role,
      ...(lacksFactor && require_second_factor === 1 && { lacksSecondFactor: true }),
    }))
    this.#known.set(userUuid, found)
    return found
  }

  forget(): void {
    this.#known.clear()
  }
}

/** Only owners make owners. */
export const leastToGrant = (role: Role): Role => (role === 'owner' ? 'owner' : 'admin')

/**
 * For rights that depend on whose role it is. The caller's own role is read again, after the workspace was locked: it
 * may have been lowered since the request was authorised, in another process too.
 */
const requireRole = (
  { userUuid, byOperator, keptRole }: Acting,
  members: readonly MemberUser[],
  least: Role,
): void => {
  const own = keptRole ?? members.find(({ uuid }) => uuid === userUuid)?.role
  const role = byOperator === true ? 'owner' : own
  if (role !== undefined && isAtLeast(role, least)) return
  throw new AppError('role_missing', {
    message: `Only an ${least} can do this`,
    extra: { role: least },
  })
}

const invitationGone = (): AppError =>
  new AppError('token_invalid', { message: 'This invitation is no longer valid; ask for a new one' })

const present = (row: OwnWorkspace, members: number): Workspace => ({
  uuid: row.uuid,
  name: row.name,
  role: row.role,
  require_second_factor: row.require_second_factor === 1,
  members,
  created_at: isoTime(row.created_at),
  updated_at: isoTime(row.updated_at),
})

const presentMember = ({ created_at, ...member }: MemberUser): Member => ({
  ...member,
  created_at: isoTime(created_at),
})

const presentInvitation = (row: InvitationRow): Invitation => ({
  uuid: row.uuid,
  email: row.email,
  role: row.role,
  created_by: row.created_by,
  created_at: isoTime(row.created_at),
  expires_at: isoTime(row.expires_at),
})
