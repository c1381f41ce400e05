import { PreconditionError } from '@waymark/sdk'
import { conflictsOf, merge } from '../forms/merge.ts'
import { askAboutConflicts } from './version-conflict.ts'

/** How to convert the values of a form to an edit. */
export interface EditOf<Row, V extends object, Saved> {
  /** The form values of a row; rows of its lists have the same keys as in `typed`. */
  readonly valuesOf: (row: Row, typed: V) => V
  /** Sends the edit of this version of the row, with `ifMatch`. */
  readonly send: (row: Row, values: V) => Promise<Saved>
  /** The label of a field. */
  readonly nameOf: (path: string) => string
}

const notDecided = (): Error => new Error('Not saved, because this was changed elsewhere')

/**
 * Saves an edit of the version that the user saw. If the row was changed elsewhere meanwhile, the user's changes are applied
 * to the new version; the user is asked about a field only if both changed it.
 */
export async function saveEdit<Row, V extends object, Saved>(
  seen: Row,
  typed: V,
  { valuesOf, send, nameOf }: EditOf<Row, V, Saved>,
): Promise<{ saved: Saved; sent: V }> {
  let row = seen
  let sent = typed
  for (;;) {
    try {
      return { saved: await send(row, sent), sent }
    } catch (error) {
      if (!(error instanceof PreconditionError) || error.data === undefined) throw error
      const present = error.data as Row
      const versions = { base: valuesOf(row, typed), mine: sent, theirs: valuesOf(present, typed) }
      const conflicts = conflictsOf(versions)
      const decision = conflicts.length === 0 ? new Map() : await askAboutConflicts(conflicts, nameOf)
      if (decision === null) throw notDecided()
      sent = merge(versions, ({ path, mine, theirs }) => (decision.get(path) === 'theirs' ? theirs : mine))
      row = present
    }
  }
}
