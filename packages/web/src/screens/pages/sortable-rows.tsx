import type { ReactNode } from 'react'
import { useReorder } from '../../ui/reorder.ts'
import { RowFrame } from './row-frame.tsx'

interface SortableRow {
  readonly key: string
  readonly isShown?: boolean
}

/** A list whose rows can be moved, hidden, duplicated and removed. */
export function SortableRows<Row extends SortableRow>({
  rows,
  onRows,
  nameOf,
  duplicate,
  children,
}: {
  readonly rows: readonly Row[]
  readonly onRows: (rows: Row[]) => void
  /** The name of a row in the labels of its buttons. */
  readonly nameOf: (row: Row, index: number) => string
  /** Copies a row; without it rows cannot be duplicated. */
  readonly duplicate?: (row: Row) => Row
  readonly children: (row: Row, index: number, change: (part: Partial<Row>) => void) => ReactNode
}) {
  const { attach, dragged, announcement, handle } = useReorder(rows, (next) => onRows([...next]))
  const changeOf =
    (key: string) =>
    (part: Partial<Row>): void =>
      onRows(rows.map((row) => (row.key === key ? { ...row, ...part } : row)))
  return (
    <>
      <p className="sr-only" aria-live="polite">
        {announcement}
      </p>
      <ul ref={attach} className="mb-3 space-y-2 empty:hidden">
        {rows.map((row, index) => {
          const change = changeOf(row.key)
          return (
            <RowFrame
              key={row.key}
              handle={handle(index)}
              rowKey={row.key}
              isDragged={dragged === index}
              name={nameOf(row, index)}
              {...(row.isShown === undefined
                ? {}
                : { isShown: row.isShown, onShow: (isShown) => change({ isShown } as Partial<Row>) })}
              {...(duplicate === undefined
                ? {}
                : { onDuplicate: () => onRows(rows.toSpliced(index + 1, 0, duplicate(row))) })}
              onRemove={() => onRows(rows.filter(({ key }) => key !== row.key))}
            >
              {children(row, index, change)}
            </RowFrame>
          )
        })}
      </ul>
    </>
  )
}
