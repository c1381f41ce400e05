import { type Operation, operations } from '@waymark/contract'
import type { Call, Step } from './call.ts'
import type { Reply } from './routes.ts'
import {
  actAsCaller,
  type AuthenticateDependencies,
  identifyCaller,
  verifySignature,
} from './steps/authenticate.ts'
import {
  authoriseCaller,
  type AuthoriseDependencies,
  checkFieldRights,
  confirmIdentity,
} from './steps/authorise.ts'
import { type FieldDependencies, readFields } from './steps/fields.ts'
import { type IdempotencyDependencies, repeatResponse } from './steps/idempotency.ts'
import { limitAddress, limitCaller, type RateDependencies } from './steps/rate-limit.ts'
import { type BodyDependencies, receiveBody } from './steps/receive-body.ts'
import { checkRoom, type RoomDependencies } from './steps/room.ts'
import { type RunDependencies, runHandler } from './steps/run.ts'

export type PipelineDependencies = AuthenticateDependencies &
  AuthoriseDependencies &
  BodyDependencies &
  FieldDependencies &
  IdempotencyDependencies &
  RateDependencies &
  RoomDependencies &
  RunDependencies

/** Every request to an operation passes these steps in this order, which is part of the contract. */
export const createPipeline = (deps: PipelineDependencies): readonly Step[] => [
  limitAddress(deps),
  identifyCaller(deps),
  receiveBody(deps),
  verifySignature(deps),
  actAsCaller,
  limitCaller(deps),
  authoriseCaller(deps),
  confirmIdentity(deps),
  checkRoom(deps),
  readFields(deps),
  checkFieldRights(deps),
  repeatResponse(deps),
  runHandler(deps),
]

/** Passes a request through all steps. */
export function runOperation(
  steps: readonly Step[],
  { route, ...arrived }: Pick<Call, 'request' | 'reply' | 'meter' | 'facts' | 'route'>,
): Promise<Reply> {
  const operation: Operation = operations[route.name]
  const call: Call = {
    ...arrived,
    route,
    operation,
    isWrite: operation.method === 'POST',
    caller: undefined,
    proof: undefined,
    raw: undefined,
    fields: { body: undefined, query: undefined, ignored: [] },
    needs: { scopes: [] },
    transact: undefined,
  }
  const runFrom = (at: number): Promise<Reply> => {
    const step = steps[at]
    if (step === undefined) throw new Error('The last step returns the response')
    return step(call, () => runFrom(at + 1))
  }
  return runFrom(0)
}
