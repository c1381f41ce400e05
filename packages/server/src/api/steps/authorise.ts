import { includesScope, isAtLeast, type Operation, type Role, type Scope } from '@waymark/contract'
import type { FastifyRequest } from 'fastify'
import { type Caller, isProved, type Membership } from '../../net/caller.ts'
import { AppError } from '../../net/errors.ts'
import { toAppError } from '../app-errors.ts'
import { type AuditLog, rejectedEntry } from '../audit.ts'
import { contextOf, type Step } from '../call.ts'
import type { Needs } from '../routes.ts'

export interface Memberships {
  /** The workspaces of a user: the user's first one, then by age of the membership. */
  readonly membershipsOf: (userUuid: string) => Promise<readonly Membership[]>
  /** Whether an operator has suspended a workspace. */
  readonly isSuspended: (workspaceUuid: string) => boolean
  /** Called when a caller lacks a role or scope in one of their workspaces. */
  readonly noteRejected?: (workspaceUuid: string) => void
}

export interface AuthoriseDependencies {
  /** Memberships of users, and suspended workspaces. */
  readonly memberships: Memberships
  readonly audit: Pick<AuditLog, 'noteRejected'>
  /** False after an account was deleted. */
  readonly workspaceExists: (workspaceUuid: string) => Promise<boolean>
  /** Called with every authorised key and token. */
  readonly noteUse: (caller: Caller) => void
  readonly now: () => number
}

/** Suspension, workspace, second factor, role and scope, in this order. */
export const authoriseCaller =
  ({ memberships, audit, workspaceExists, noteUse }: AuthoriseDependencies): Step =>
  async (call, next) => {
    const { caller: identity, operation, request, route } = call
    if (identity === undefined) return next()
    const caller = await authorise(operation, identity, workspaceOf(request, call.isWrite), {
      ...memberships,
      noteRejected: (workspaceUuid) => audit.noteRejected(rejectedEntry(route.name, identity, workspaceUuid)),
    })
    if (caller.kind !== 'session') noteUse(caller)
    call.caller = caller
    try {
      return await next()
    } catch (error) {
      // A request in progress when its workspace is deleted fails, because its rows would have no owner.
      const isLost = ['internal', 'not_found'].includes(toAppError(error).code)
      throw isLost && !(await workspaceExists(caller.workspaceUuid)) ? goneError(caller) : error
    }
  }

/** Some operations need a recent proof of identity from a session. */
export const confirmIdentity =
  ({ now }: AuthoriseDependencies): Step =>
  async ({ operation, caller }, next) => {
    if (operation.proof === true && caller !== undefined && !isProved(caller, now()))
      throw new AppError('reauthenticate', { extra: { reauthenticate: true } })
    return next()
  }

/** The rights that depend on the fields. */
export const checkFieldRights =
  ({ audit }: AuthoriseDependencies): Step =>
  async (call, next) => {
    const { route, caller } = call
    if (caller === undefined || route.handler.needs === undefined) return next()
    call.needs = await route.handler.needs(contextOf(call))
    try {
      checkNeeds(caller, call.needs)
    } catch (error) {
      audit.noteRejected(rejectedEntry(route.name, caller, caller.workspaceUuid))
      throw error
    }
    return next()
  }

/** 403 with the role or scope that the fields of a request require and the caller lacks. */
export function checkNeeds(caller: Caller, { role, scopes }: Needs): void {
  if (role !== undefined) checkRole(caller.role, role)
  for (const scope of scopes) checkScope(caller, scope)
}

/** The workspace that a request names; for reads also in the query, because a link in a browser cannot send a header. */
function workspaceOf({ headers, query }: FastifyRequest, isWrite: boolean): string | undefined {
  const params = query as { readonly workspace?: string | string[] }
  const named = headers['x-workspace'] ?? (isWrite ? undefined : params.workspace)
  // A list, of a parameter that is repeated, names no workspace.
  const wanted = typeof named === 'string' ? named : JSON.stringify(named)
  return wanted === '' ? undefined : wanted
}

/** Keys and tokens are deleted with their workspace, and a user with the first one. */
const goneError = ({ kind, workspaceUuid, userUuid }: Caller): AppError => {
  if (kind === 'key') return new AppError('key_invalid')
  if (kind === 'token') return new AppError('token_unknown')
  return workspaceUuid === userUuid ? new AppError('session_missing') : noSuchWorkspace()
}

/**
 * Decides whether a caller may call an operation, and in which workspace: the only place that checks roles and scopes. The
 * order is suspension, workspace, second factor, role, scope.
 */
export async function authorise(
  operation: Operation,
  caller: Caller,
  wanted: string | undefined,
  { membershipsOf, isSuspended, noteRejected }: Memberships,
): Promise<Caller> {
  if (isSuspended(caller.workspaceUuid) && (await isOwnFirst(caller, membershipsOf)))
    throw new AppError('account_suspended')
  if (operation.role === undefined) {
    if (caller.keptRole !== undefined) throw new AppError('key_without_user')
    if (operation.personal === true && caller.kind !== 'session') {
      const [first] = await membershipsOf(caller.userUuid)
      if (first?.workspaceUuid !== caller.workspaceUuid) throw new AppError('key_not_personal')
    }
    checkScope(caller, operation.scope)
    return caller
  }
  const memberships = await membershipsOf(caller.userUuid)
  const membership = membershipIn(caller, wanted, memberships)
  if (membership === undefined) throw notAMember(caller, wanted)
  const { workspaceUuid, role } = membership
  if (isSuspended(workspaceUuid)) throw new AppError('account_suspended')
  if (membership.lacksSecondFactor === true)
    throw new AppError('second_factor_required', { extra: { second_factor_required: true } })
  try {
    checkRole(role, operation.role)
    checkScope(caller, operation.scope)
  } catch (error) {
    noteRejected?.(workspaceUuid)
    throw error
  }
  return { ...caller, workspaceUuid, role }
}

/** The first workspace of a user may be that of others, whose suspension concerns only what is done there. */
const isOwnFirst = async (
  { kind, userUuid }: Caller,
  membershipsOf: Memberships['membershipsOf'],
): Promise<boolean> => {
  if (kind !== 'session') return true
  const [first] = await membershipsOf(userUuid)
  return first === undefined || first.role === 'owner'
}

/** 403 with the role that the caller lacks. */
export function checkRole(role: Role | undefined, least: Role): void {
  if (role !== undefined && isAtLeast(role, least)) return
  throw new AppError('role_missing', {
    message: `This needs the role ${least} in the workspace; yours is ${role ?? 'none'}`,
    extra: { role: least },
  })
}

/** 403 with the scope that a key or token lacks. */
export function checkScope({ kind, scopes }: Caller, wanted: Scope | undefined): void {
  if (wanted === undefined || includesScope(scopes, wanted)) return
  const noun = kind === 'token' ? 'access token' : 'API key'
  throw new AppError('scope_missing', {
    message: `This ${noun} does not have the scope ${wanted}`,
    extra: { scope: wanted },
  })
}

/** A key or token belongs to one workspace; a session names one, or uses the user's first. */
const membershipIn = (
  { kind, workspaceUuid, byOperator, keptRole }: Caller,
  wanted: string | undefined,
  memberships: readonly Membership[],
): Membership | undefined => {
  if (kind === 'session')
    return wanted === undefined
      ? memberships[0]
      : memberships.find((each) => each.workspaceUuid === wanted.toLowerCase())
  if (wanted !== undefined && wanted.toLowerCase() !== workspaceUuid) return undefined
  if (byOperator === true) return { workspaceUuid, role: 'owner' }
  if (keptRole !== undefined) return { workspaceUuid, role: keptRole }
  return memberships.find((each) => each.workspaceUuid === workspaceUuid)
}

/** The same error for a workspace that never existed, was deleted, or belongs to others. */
const noSuchWorkspace = (): AppError => new AppError('not_found', { message: 'There is no such workspace' })

/** A key whose creator is no longer a member counts as revoked. */
const notAMember = ({ kind, workspaceUuid }: Caller, wanted: string | undefined): AppError => {
  if (kind === 'session' || (wanted !== undefined && wanted.toLowerCase() !== workspaceUuid))
    return wanted === undefined
      ? new AppError('not_found', { message: 'You are not a member of any workspace' })
      : noSuchWorkspace()
  return new AppError(kind === 'key' ? 'key_invalid' : 'token_unknown')
}
