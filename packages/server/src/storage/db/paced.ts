import type {
  KyselyPlugin,
  PluginTransformQueryArgs,
  PluginTransformResultArgs,
  QueryResult,
  RootOperationNode,
  UnknownRow,
} from 'kysely'
import type { TurnBudget } from '../../runtime/loop-turns.ts'

/**
 * SQLite runs in the thread that serves visitors, and its statements finish before they return: a write of a thousand
 * rows would be one turn of the event loop. This lets visitors in between two statements.
 */
export class Paced implements KyselyPlugin {
  readonly #turns: TurnBudget

  constructor(turns: TurnBudget) {
    this.#turns = turns
  }

  transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    return node
  }

  async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    await this.#turns.rest()
    return result
  }
}
