import type { Readable } from 'node:stream'
import { type Operation, type OperationName, operations } from '@waymark/contract'
import { actingFor } from '../net/admission/gate.ts'
import { type Caller, callerOfJob } from '../net/caller.ts'
import { AppError } from '../net/errors.ts'
import type { JobCaller } from '../storage/db/tables.ts'
import type { Needs } from './routes.ts'
import { authorise, checkNeeds, type Memberships } from './steps/authorise.ts'

export interface RightsDependencies {
  /**
   * Those of the callers whose session, key or token is still valid, by its uuid, with their present scopes: it has not
   * ended, expired or been revoked.
   */
  readonly validCallers: (callers: readonly Caller[]) => Promise<ReadonlyMap<string, Caller>>
  readonly memberships: Memberships
  readonly report: (error: unknown) => void
}

interface Held {
  readonly caller: Caller
  readonly operation: Operation
  readonly needs: Needs
}

interface Running extends Held {
  readonly end: () => void
}

/** How often running responses are checked; a right that ends must end them within 5 s. */
const CHECK_MS = 2_000

const NO_NEEDS: Needs = { scopes: [] }

/**
 * The rights under which work goes on after its request was authorised. Every streamed response is registered by the
 * pipeline, and every background job by `work/jobs/batch-jobs.ts`, so that no author of one has to remember it.
 */
export class Rights {
  readonly #deps: RightsDependencies
  readonly #running = new Set<Running>()
  #timer: NodeJS.Timeout | undefined

  constructor(deps: RightsDependencies) {
    this.#deps = deps
  }

  /** Ends a stream as soon as its caller could no longer request it. */
  hold(
    { caller, operation, needs }: Held,
    stream: Readable,
    end: () => void = () => void stream.destroy(),
  ): void {
    const running = { caller, operation, needs, end }
    this.#running.add(running)
    // Outside of the request, whose client may leave while other streams go on.
    this.#timer ??= actingFor({}, () =>
      setInterval(() => void this.check().catch(this.#deps.report), CHECK_MS).unref(),
    )
    stream.once('close', () => {
      this.#running.delete(running)
      if (this.#running.size > 0) return
      clearInterval(this.#timer)
      this.#timer = undefined
    })
  }

  /** Ends the streams whose right has ended. */
  async check(): Promise<void> {
    if (this.#running.size === 0) return
    const running = [...this.#running]
    const valid = await this.#deps.validCallers(running.map(({ caller }) => caller))
    for (const one of running) {
      try {
        if (!(await this.#isPermitted(one, valid))) one.end()
      } catch (error) {
        // The others are checked all the same.
        this.#deps.report(error)
      }
    }
  }

  async #isPermitted(
    { caller, operation, needs }: Running,
    valid: ReadonlyMap<string, Caller>,
  ): Promise<boolean> {
    const present = valid.get(caller.uuid)
    if (present === undefined) return false
    return this.#permits({ ...present, workspaceUuid: caller.workspaceUuid }, operation, needs)
  }

  /** Whether a job may go on: its creator is still a member with the role, and the key or token still has the scope. */
  async permitsJob(job: JobCaller, name: OperationName): Promise<boolean> {
    const caller = callerOfJob(job)
    // A job that was started in the dashboard goes on after its session.
    const valid =
      caller.kind === 'session' ? caller : (await this.#deps.validCallers([caller])).get(caller.uuid)
    return valid !== undefined && this.#permits(valid, operations[name], NO_NEEDS)
  }

  async #permits(caller: Caller, operation: Operation, needs: Needs): Promise<boolean> {
    const wanted = caller.kind === 'session' ? caller.workspaceUuid : undefined
    const { membershipsOf, isSuspended } = this.#deps.memberships
    try {
      checkNeeds(await authorise(operation, caller, wanted, { membershipsOf, isSuspended }), needs)
      return true
    } catch (error) {
      if (error instanceof AppError && error.status < 500) return false
      throw error
    }
  }
}
