import { AsyncLocalStorage } from 'node:async_hooks'
import type {
  Kysely,
  KyselyPlugin,
  PluginTransformQueryArgs,
  PluginTransformResultArgs,
  QueryResult,
  RootOperationNode,
  UnknownRow,
} from 'kysely'
import type { Tables } from './tables.ts'

/** A transaction, or a savepoint inside it, for the code that runs in it. */
interface Scope {
  readonly handle: Kysely<Tables>
  readonly outer: Scope | undefined
  readonly depth: number
  readonly effects: (() => void)[]
  open: boolean
  /** The last nested write. Siblings run one after another, because savepoints nest and cannot overlap. */
  tail: Promise<unknown>
}

export interface Savepoints {
  begin(scope: Scope, name: string): Promise<void>
  release(scope: Scope, name: string): Promise<void>
  rollback(scope: Scope, name: string): Promise<void>
}

/** Finds the transaction of the running code, and nests writes in it. */
export class Scopes {
  readonly #storage = new AsyncLocalStorage<Scope>()
  readonly #savepoints: Savepoints

  constructor(savepoints: Savepoints) {
    this.#savepoints = savepoints
  }

  /** Undefined after the scope has ended: code that outlives its write reads outside of the transaction. */
  current(): Scope | undefined {
    const scope = this.#storage.getStore()
    return scope !== undefined && isOpen(scope) ? scope : undefined
  }

  create(handle: Kysely<Tables>, outer?: Scope): Scope {
    const depth = outer === undefined ? 0 : outer.depth + 1
    return { handle, outer, depth, effects: [], open: true, tail: Promise.resolve() }
  }

  async run<T>(scope: Scope, work: () => Promise<T>): Promise<T> {
    try {
      return await this.#storage.run(scope, work)
    } finally {
      await waitForNested(scope)
      scope.open = false
    }
  }

  /** Runs work in a savepoint of the scope: if it fails, the enclosing write can still continue and commit. */
  nest<T>(outer: Scope, work: () => Promise<T>): Promise<T> {
    const turn = outer.tail.then(() => this.#inSavepoint(outer, work))
    outer.tail = turn.catch(() => undefined)
    return turn
  }

  async #inSavepoint<T>(outer: Scope, work: () => Promise<T>): Promise<T> {
    if (!isOpen(outer)) throw new Error('A nested write outlived the write it belongs to: await it inside')
    const name = `nested_${outer.depth}`
    await this.#savepoints.begin(outer, name)
    const inner = this.create(outer.handle, outer)
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

function isOpen(scope: Scope): boolean {
  return scope.open && (scope.outer === undefined || isOpen(scope.outer))
}

/** A nested write that was not awaited must end before its transaction does. */
async function waitForNested(scope: Scope): Promise<void> {
  for (let last: Promise<unknown> | undefined; last !== scope.tail;) {
    last = scope.tail
    await last
  }
}

/** A failing effect must neither stop the others nor turn a committed write into an error. */
export function runEffects(effects: readonly (() => void)[], report: (error: unknown) => void): void {
  for (const effect of effects) {
    try {
      effect()
    } catch (error) {
      report(error)
    }
  }
}

const writes = new Set(['InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode', 'MergeQueryNode'])

/** Rejects statements that change rows outside of `write`, because they would bypass the transaction and group commit. */
export class WriteGuard implements KyselyPlugin {
  transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    if (writes.has(node.kind)) throw new Error('This statement changes rows: run it inside db.write()')
    return node
  }

  transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return Promise.resolve(result)
  }
}
