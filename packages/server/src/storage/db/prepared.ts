import type { Compilable, CompiledQuery, Kysely, QueryResult } from 'kysely'
import type { Database } from './database.ts'
import type { Tables } from './tables.ts'

/** A placeholder for a value. */
class Slot {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/**
 * A statement of which only the values change. The query builder compiles it once per engine, which costs more than running
 * it; later calls only replace the values. `build` must pass the values on unchanged, and every call must have the same
 * ones.
 */
export function preparedStatement<Values extends object, Row>(
  build: (sql: Kysely<Tables>, values: Values) => Compilable<Row>,
): (db: Database, values: Values) => Promise<QueryResult<Row>> {
  const statements = new Map<Database['engine'], CompiledQuery<Row>>()
  return (db, values) => {
    let statement = statements.get(db.engine)
    if (statement === undefined) {
      statement = build(db.sql, withSlots(values)).compile()
      statements.set(db.engine, statement)
    }
    return db.run(statement, filledIn(statement.parameters, values as Record<string, unknown>))
  }
}

function filledIn(slots: readonly unknown[], values: Record<string, unknown>): unknown[] {
  const parameters: unknown[] = []
  for (const slot of slots) parameters.push(slot instanceof Slot ? values[slot.name] : slot)
  return parameters
}

function withSlots<Values extends object>(values: Values): Values {
  return Object.fromEntries(Object.keys(values).map((name) => [name, new Slot(name)])) as Values
}
