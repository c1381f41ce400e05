import { AppError } from '../../net/errors.ts'
import type { RawBody } from '../body/read-body.ts'
import type { Step } from '../call.ts'

export interface RoomDependencies {
  /** Whether the disk has room for more rows; false below the reserve for clicks, sessions and deletions. */
  readonly hasRoom: () => boolean
  /** Rejects writes of a workspace that stores more than its plan allows. */
  readonly chargeStorage: (workspaceUuid: string, bytes: number) => Promise<void>
}

const DISK_RETRY_SECONDS = '60'

const sentBytes = (raw: RawBody): number => {
  if (raw.kind === 'none') return 0
  return raw.kind === 'multipart' ? raw.parts.reduce((sum, { size }) => sum + size, 0) : raw.bytes.length
}

/** Operations that store more need room on the disk and in the plan of the workspace. */
export const checkRoom =
  ({ hasRoom, chargeStorage }: RoomDependencies): Step =>
  async ({ operation, caller, raw }, next) => {
    if (operation.grows !== true) return next()
    if (!hasRoom()) throw new AppError('disk_full', { headers: { 'retry-after': DISK_RETRY_SECONDS } })
    if (caller !== undefined && raw !== undefined) await chargeStorage(caller.workspaceUuid, sentBytes(raw))
    return next()
  }
