import { useRef } from 'react'
import { type EditOf, saveEdit } from '../api/save-edit.ts'
import { useForm } from './use-form.ts'

interface Saved<Row> {
  readonly data: Row
  readonly message: string
}

interface RowForm<Row, V extends object> extends Omit<EditOf<Row, V, Saved<Row>>, 'send'> {
  readonly initial: V
  readonly create: (values: V) => Promise<Saved<Row>>
  /** Sends the edit of this version of the row, with `ifMatch`. */
  readonly edit: (row: Row, values: V) => Promise<Saved<Row>>
  /** Receives the saved row; returns the form values that show it, if the form stays open. */
  readonly onSaved: (saved: Saved<Row>, sent: V) => Promise<V | void> | V | void
}

/**
 * A form that creates a row, or edits the version that the form began with: a newer one that the list has fetched meanwhile is
 * not what the user saw.
 */
export function useRowForm<Row, V extends object>(
  row: Row | null,
  { initial, create, edit, onSaved, valuesOf, nameOf }: RowForm<Row, V>,
) {
  const seen = useRef(row)
  return useForm<V>(initial, async (values) => {
    const before = seen.current
    const { saved, sent } =
      before === null
        ? { saved: await create(values), sent: values }
        : await saveEdit(before, values, { valuesOf, nameOf, send: edit })
    seen.current = saved.data
    return onSaved(saved, sent)
  })
}
