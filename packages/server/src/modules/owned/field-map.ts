/*
 * One map per resource defines for each field of the contract its column, its conversion in both directions, and its use in
 * CSV files. Inserts, edits, responses, searches and CSV files use the map, so that a new field is one new
 * entry.
 */

/** How a field of requests is stored. */
type Stored<Row, Given> =
  | {
      readonly [Column in keyof Row & string]: {
        readonly column: Column
        /** The value for an absent field of a new row, and for null. */
        readonly initial: Row[Column]
        /** Converts the validated value; by default it is stored unchanged. */
        readonly store?: (given: NonNullable<Given>) => Row[Column]
      } & (NonNullable<Given> extends Row[Column] ? object : { readonly store: unknown })
    }[keyof Row & string]
  /** The service stores it itself, because that requires a look-up, a hash or a drawing. */
  | { readonly column?: keyof Row & string; readonly isSettledByService: true }

type Shown<Row, Value, Context> = {
  /** The value in responses. */
  readonly show: (row: Row, context: Context) => Value
}

/** How a field appears in CSV files; without this it does not. */
interface CsvField<Row, Context> {
  /** `carried`: exports write it and imports read it. `in` and `out`: only one of them does. */
  readonly direction: 'carried' | 'in' | 'out'
  /** Names in files of other services, without capitals and punctuation. */
  readonly aliases?: readonly string[]
  /** The exported value, if it differs from responses. */
  readonly cell?: (row: Row, context: Context) => string | number | null
  /** Converts an imported cell that is not plain text, a number or a boolean. */
  readonly read?: (cell: string) => unknown
}

interface FieldOptions<Row, Context> {
  /** Whether `search` includes its column. */
  readonly isSearched?: true
  readonly csv?: CsvField<Row, Context>
}

/** An entry for every field of requests and responses; a missing one does not compile. */
type FieldMap<Row, Input, Resource, Context> = {
  readonly [Name in keyof Input | keyof Resource]-?: FieldOptions<Row, Context> &
    (Name extends keyof Input ? Stored<Row, Input[Name]> : { readonly column?: keyof Row & string }) &
    (Name extends keyof Resource ? Shown<Row, Resource[Name], Context> : object)
}

/** The columns that requests fill through the map. */
type StoredColumn<Map> = {
  [Name in keyof Map]: Map[Name] extends { column: infer Column extends string; initial: unknown }
    ? Column
    : never
}[keyof Map]

/** An entry without the types of its values. */
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
  /** The columns that an edit changes: omitted fields do not change, and null is the default. */
  changedColumns(input: Partial<Input>): Partial<Pick<Row, Column>>
  show(row: Row, context: Context): Resource
  /** The columns that a search includes. */
  readonly searched: readonly string[]
  /** The columns of an import. */
  readonly importedNames: readonly (keyof Input & string)[]
  /** The columns of an export, beginning with those that an import reads. */
  readonly exportedNames: readonly (keyof Resource & string)[]
  /** The cells of a row of an export. */
  cells(row: Row, context: Context): (string | number | null)[]
  /** The imported value of a cell. */
  readCell(name: keyof Input & string, cell: string): unknown
  /** The field of a CSV header; null: only exports have it; undefined: unknown. */
  nameOfHeader(header: string): (keyof Input & string) | null | undefined
}

/** Binds a map to its types. */
export function fieldsOf<Row, Input, Resource, Context = undefined>() {
  return <const Map extends FieldMap<Row, Input, Resource, Context>>(
    map: Map,
  ): Fields<Row, Input, Resource, Context, StoredColumn<Map> & keyof Row> & { readonly map: Map } => {
    const entries = Object.entries(map) as [string, AnyField][]
    const stored = entries.filter(([, field]) => field.column !== undefined && 'initial' in field)
    // Responses begin with the identifiers; CSV files end with them.
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
    // Assigned one by one in the same order, so that all results share a hidden class, unlike those of Object.fromEntries.
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

/** The fields that are not undefined; null counts as given. */
export const definedOf = <T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
