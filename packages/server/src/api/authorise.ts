import { includesScope, isAtLeast, type Operation, type Role, type Scope } from '@waymark/contract'
import type { Caller, Membership } from '../net/caller.ts'
import { AppError } from '../net/errors.ts'

export interface Memberships {
  /** The workspaces of a user: the user's first one, then by age of the membership. */
  readonly membershipsOf: (userUuid: string) => Promise<readonly Membership[]>
  /** Whether an operator has suspended a workspace. */
  readonly isSuspended: (workspaceUuid: string) => boolean
  /** Called when a caller lacks a role or scope in one of their workspaces. */
  readonly noteRejected?: (workspaceUuid: string) => void
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
  if (isSuspended(caller.workspaceUuid)) throw new AppError('account_suspended')
  if (operation.role === undefined) {
    const isForeign = caller.kind !== 'session' && caller.workspaceUuid !== caller.userUuid
    if (operation.personal === true && isForeign) throw new AppError('key_not_personal')
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
  { kind, workspaceUuid, byOperator }: Caller,
  wanted: string | undefined,
  memberships: readonly Membership[],
): Membership | undefined => {
  if (kind === 'session')
    return wanted === undefined
      ? memberships[0]
      : memberships.find((each) => each.workspaceUuid === wanted.toLowerCase())
  if (wanted !== undefined && wanted.toLowerCase() !== workspaceUuid) return undefined
  if (byOperator === true) return { workspaceUuid, role: 'owner' }
  return memberships.find((each) => each.workspaceUuid === workspaceUuid)
}

/** The same error for a workspace that never existed, was deleted, or belongs to others. */
export const noSuchWorkspace = (): AppError =>
  new AppError('not_found', { message: 'There is no such workspace' })

/** A key whose creator is no longer a member counts as revoked. */
const notAMember = ({ kind, workspaceUuid }: Caller, wanted: string | undefined): AppError => {
  if (kind === 'session' || (wanted !== undefined && wanted.toLowerCase() !== workspaceUuid))
    return wanted === undefined
      ? new AppError('not_found', { message: 'You are not a member of any workspace' })
      : noSuchWorkspace()
  return new AppError(kind === 'key' ? 'key_invalid' : 'token_unknown')
}
