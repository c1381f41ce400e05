/*
 * One map per resource says for each field of the contract where it is kept, how it is converted on the way in and out,
 * and whether a CSV file has it. Inserts, edits, responses, searches and CSV files read the map, so that a new field is
 * one new entry.
 */

/** Where a field goes that a request may carry. */
type Stored<Row, Given> =
  | {
      readonly [Column in keyof Row & string]: {
        readonly column: Column
        /** What an absent field of a new row, or null, stands for. */
        readonly initial: Row[Column]
        /** Converts what validation has let through; by default it is kept as it is. */
        readonly store?: (given: NonNullable<Given>) => Row[Column]
      } & (NonNullable<Given> extends Row[Column] ? object : { readonly store: unknown })
    }[keyof Row & string]
  /** The service stores it itself, because that takes a lookup, a hash or a drawing. */
  | { readonly column?: keyof Row & string; readonly isSettledByService: true }

type Shown<Row, Value, Context> = {
  /** What responses show. */
  readonly show: (row: Row, context: Context) => Value
}

/** How a field appears in CSV files; a field without this appears in none. */
interface CsvField<Row, Context> {
  /** `carried`: an export writes what an import reads. `in` and `out`: only one of them knows it. */
  readonly direction: 'carried' | 'in' | 'out'
  /** What other services call the same thing, without capitals and punctuation. */
  readonly aliases?: readonly string[]
  /** What an export writes, where that is not what responses show. */
  readonly cell?: (row: Row, context: Context) => string | number | null
  /** What an import makes of a cell that is not just text, a number or a truth value. */
  readonly read?: (cell: string) => unknown
}

interface Traits<Row, Context> {
  /** Whether `search` looks into its column. */
  readonly isSearched?: true
  readonly csv?: CsvField<Row, Context>
}

/** An entry for every field of requests and responses: one that is missing does not compile. */
type FieldMap<Row, Input, Resource, Context> = {
  readonly [Name in keyof Input | keyof Resource]-?: Traits<Row, Context> &
    (Name extends keyof Input ? Stored<Row, Input[Name]> : { readonly column?: keyof Row & string }) &
    (Name extends keyof Resource ? Shown<Row, Resource[Name], Context> : object)
}

/** The columns that requests fill by way of the map. */
type StoredColumn<Map> = {
  [Name in keyof Map]: Map[Name] extends { column: infer Column extends string; initial: unknown }
    ? Column
    : never
}[keyof Map]

/** An entry as the functions below read it, whatever the types of its values. */
interface AnyField {
  readonly column?: string
  readonly initial?: unknown
  readonly store?: (given: unknown) => unknown
  readonly show?: (row: unknown, context: unknown) => unknown
  readonly isSearched?: true
  readonly csv?: CsvField<unknown, unknown>
}

interface Fields<Row, Input, Resource, Context, Column extends keyof Row> {
  /** The columns of a new row. */
  newColumns(input: Input): Pick<Row, Column>
  /** The columns that an edit changes: what is left out stays, and null is the default. */
  changedColumns(input: Partial<Input>): Partial<Pick<Row, Column>>
  show(row: Row, context: Context): Resource
  /** The columns that a search looks into. */
  readonly searched: readonly string[]
  /** The columns of an import. */
  readonly importedNames: readonly (keyof Input & string)[]
  /** The columns of an export: those that an import reads come first. */
  readonly exportedNames: readonly (keyof Resource & string)[]
  /** The cells of a row of an export. */
  cells(row: Row, context: Context): (string | number | null)[]
  /** What an import makes of a cell. */
  readCell(name: keyof Input & string, cell: string): unknown
  /** The field that a CSV header stands for; null: only exports have it; undefined: it is unknown. */
  nameOfHeader(header: string): (keyof Input & string) | null | undefined
}

/** Ties a map to the types that it is about. */
export function fieldsOf<Row, Input, Resource, Context = undefined>() {
  return <const Map extends FieldMap<Row, Input, Resource, Context>>(
    map: Map,
  ): Fields<Row, Input, Resource, Context, StoredColumn<Map> & keyof Row> & { readonly map: Map } => {
    const entries = Object.entries(map) as [string, AnyField][]
    const stored = entries.filter(([, field]) => field.column !== undefined && 'initial' in field)
    // Responses begin with what identifies them; CSV files end with it.
    const shown = entries
      .filter(([, field]) => field.show !== undefined)
      .toSorted(([a], [b]) => Number(b === 'uuid') - Number(a === 'uuid'))
    const withCsv = (...directions: CsvField<unknown, unknown>['direction'][]): [string, AnyField][] =>
      directions.flatMap((direction) => entries.filter(([, field]) => field.csv?.direction === direction))
    const imported = withCsv('carried', 'in')
    const exported = withCsv('carried', 'out')
    const headers = new Map([
      ...exported.map(([name]) => [squashed(name), null] as const),
      ...imported.flatMap(([name, { csv }]) => (csv?.aliases ?? []).map((alias) => [alias, name] as const)),
      ...imported.map(([name]) => [squashed(name), name] as const),
    ])
    const columnsOf = (input: object, hasAll: boolean): never => {
      const columns: Record<string, unknown> = {}
      for (const [name, { column = '', initial, store }] of stored) {
        const given = (input as Record<string, unknown>)[name]
        if (given === null || given === undefined) {
          if (hasAll || given === null) columns[column] = initial
        } else columns[column] = store === undefined ? given : store(given)
      }
      return columns as never
    }
    // Assigned one by one in the same order, all results share one layout in memory, unlike those of Object.fromEntries.
    const show = (row: Row, context: Context): Resource => {
      const resource: Record<string, unknown> = {}
      for (const [name, field] of shown) resource[name] = field.show?.(row, context)
      return resource as Resource
    }
    return {
      map,
      newColumns: (input) => columnsOf(input as object, true),
      changedColumns: (input) => columnsOf(input, false),
      show,
      searched: entries.flatMap(([, { column, isSearched }]) => (isSearched ? (column ?? []) : [])),
      importedNames: imported.map(([name]) => name) as never,
      exportedNames: exported.map(([name]) => name) as never,
      cells: (row, context) =>
        exported.map(
          ([, { csv, show }]) =>
            (csv?.cell?.(row, context) ?? (csv?.cell ? null : show?.(row, context))) as string,
        ),
      readCell: (name, cell) => (map as Record<string, AnyField>)[name]?.csv?.read?.(cell) ?? cell,
      nameOfHeader: (header) => headers.get(squashed(header)) as never,
    }
  }
}

const squashed = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/** The fields that were given; null was given, undefined was not. */
export const definedOf = <T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
