import { snapshot } from './snapshot.ts'

/** A field that was changed both here and elsewhere, to different values. */
export interface Conflict {
  /** Its path: `title`, or `buttons.id-3.label`. */
  readonly path: string
  readonly mine: unknown
  readonly theirs: unknown
}

/** Chooses one of two values of a field that both sides changed. */
type Resolve = (conflict: Conflict) => unknown

type Plain = Readonly<Record<string, unknown>>
type Row = Plain & { readonly key: string | number; readonly id: unknown }

const isSame = (a: unknown, b: unknown): boolean => snapshot({ value: a }) === snapshot({ value: b })

const isPlain = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

// Without ids, which the server stores, rows of two versions cannot be matched.
const isRow = (value: unknown): value is Row => isPlain(value) && 'key' in value && 'id' in value
const isRows = (value: unknown): value is readonly Row[] => Array.isArray(value) && value.every(isRow)

const keysOf = (rows: readonly Row[]): string => rows.map(({ key }) => key).join(' ')

/** Merges lists row by row, unless rows were added, removed or moved on both sides. */
function mergeRows(
  [base, mine, theirs]: readonly [readonly Row[], readonly Row[], readonly Row[]],
  resolve: Resolve,
  path: string,
): unknown {
  const isMineInOrder = keysOf(mine) === keysOf(base)
  if (!isMineInOrder && keysOf(theirs) !== keysOf(base)) return resolve({ path, mine, theirs })
  const order = isMineInOrder ? theirs : mine
  const find = (rows: readonly Row[], key: Row['key']): Row | undefined => rows.find((row) => row.key === key)
  return order.map((row) => {
    const versions = [find(base, row.key), find(mine, row.key), find(theirs, row.key)] as const
    return versions.includes(undefined) ? row : mergeValue(versions, resolve, `${path}.${row.key}`)
  })
}

function mergeValue(
  [base, mine, theirs]: readonly [unknown, unknown, unknown],
  resolve: Resolve,
  path: string,
): unknown {
  if (isSame(mine, base)) return theirs
  if (isSame(theirs, base) || isSame(mine, theirs)) return mine
  if (isPlain(base) && isPlain(mine) && isPlain(theirs)) {
    const names = Object.keys({ ...theirs, ...mine })
    const merged = names.map((name) => [
      name,
      mergeValue([base[name], mine[name], theirs[name]], resolve, path === '' ? name : `${path}.${name}`),
    ])
    return Object.fromEntries(merged)
  }
  if (isRows(base) && isRows(mine) && isRows(theirs)) return mergeRows([base, mine, theirs], resolve, path)
  return resolve({ path, mine, theirs })
}

/** Versions of a form's values: the original one, the one typed here, and the one saved meanwhile. */
export interface Versions<V extends object> {
  readonly base: V
  readonly mine: V
  readonly theirs: V
}

/** Applies the changes of one version to another; `resolve` decides about fields that both changed. */
export const merge = <V extends object>({ base, mine, theirs }: Versions<V>, resolve: Resolve): V =>
  mergeValue([base, mine, theirs], resolve, '') as V

/** The fields that both sides changed. */
export const conflictsOf = <V extends object>(versions: Versions<V>): readonly Conflict[] => {
  const found: Conflict[] = []
  merge(versions, (conflict) => {
    found.push(conflict)
    return conflict.mine
  })
  return found
}
