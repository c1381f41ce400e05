import { AsyncLocalStorage } from 'node:async_hooks'
import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/** One transaction, or one savepoint inside it, as the code running in it sees it. */
export interface Scope {
  readonly handle: Kysely<Tables>
  readonly depth: number
  readonly effects: (() => void)[]
  open: boolean
  /** The last nested write: siblings take turns, because savepoints nest and cannot overlap. */
  tail: Promise<unknown>
}

export interface Savepoints {
  begin(scope: Scope, name: string): Promise<void>
  release(scope: Scope, name: string): Promise<void>
  rollback(scope: Scope, name: string): Promise<void>
}

/** Finds the transaction that the running code belongs to, and nests writes in it. */
export class Scopes {
  readonly #storage = new AsyncLocalStorage<Scope>()
  readonly #savepoints: Savepoints

  constructor(savepoints: Savepoints) {
    this.#savepoints = savepoints
  }

  /** A scope that has ended is none: work left running after its write sees the database from outside. */
  current(): Scope | undefined {
    const scope = this.#storage.getStore()
    return scope?.open === true ? scope : undefined
  }

  create(handle: Kysely<Tables>, depth = 0): Scope {
    return { handle, depth, effects: [], open: true, tail: Promise.resolve() }
  }

  async run<T>(scope: Scope, work: () => Promise<T>): Promise<T> {
    try {
      return await this.#storage.run(scope, work)
    } finally {
      scope.open = false
    }
  }

  /** Runs work in a savepoint of the scope: if it fails, the enclosing write may still go on and commit. */
  nest<T>(outer: Scope, work: () => Promise<T>): Promise<T> {
    const turn = outer.tail.then(() => this.#inSavepoint(outer, work))
    outer.tail = turn.catch(() => undefined)
    return turn
  }

  async #inSavepoint<T>(outer: Scope, work: () => Promise<T>): Promise<T> {
    if (!outer.open) throw new Error('A nested write outlived the write it belongs to: await it inside')
    const name = `nested_${outer.depth}`
    await this.#savepoints.begin(outer, name)
    const inner = this.create(outer.handle, outer.depth + 1)
    let result: T
    try {
      result = await this.run(inner, work)
    } catch (error) {
      await this.#savepoints.rollback(outer, name)
      throw error
    }
    await this.#savepoints.release(outer, name)
    outer.effects.push(...inner.effects)
    return result
  }
}

/** One effect that fails must neither stop the others nor turn a committed write into an error. */
export function runEffects(effects: readonly (() => void)[], report: (error: unknown) => void): void {
  for (const effect of effects) {
    try {
      effect()
    } catch (error) {
      report(error)
    }
  }
}
