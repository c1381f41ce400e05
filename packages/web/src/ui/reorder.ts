import { type KeyboardEvent, type PointerEvent, useState } from 'react'

const moved = <T>(items: readonly T[], from: number, to: number): T[] => {
  const next = [...items]
  const [item] = next.splice(from, 1)
  if (item !== undefined) next.splice(to, 0, item)
  return next
}

/**
 * Reorders a list by dragging a row's handle, also with a finger, or with the arrow keys on it. The rows must be the children of
 * the element that gets `attach` as its ref.
 */
export function useReorder<T>(items: readonly T[], onOrder: (items: T[]) => void) {
  const [list, attach] = useState<HTMLUListElement | null>(null)
  const [dragged, setDragged] = useState<number | null>(null)
  const [announcement, setAnnouncement] = useState('')

  const move = (from: number, to: number): void => {
    if (from === to || to < 0 || to >= items.length) return
    onOrder(moved(items, from, to))
    setAnnouncement(`Moved to position ${to + 1} of ${items.length}`)
  }

  const onPointerMove = (event: PointerEvent): void => {
    if (dragged === null) return
    const rows = [...(list?.children ?? [])]
    const over = rows.findIndex((row) => {
      const box = row.getBoundingClientRect()
      return event.clientY >= box.top && event.clientY <= box.bottom
    })
    if (over === -1 || over === dragged) return
    move(dragged, over)
    setDragged(over)
  }

  const handle = (index: number) => ({
    'aria-label': `Move item ${index + 1} (use the arrow keys)`,
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      event.currentTarget.setPointerCapture(event.pointerId)
      setDragged(index)
    },
    onPointerMove,
    onPointerUp: () => setDragged(null),
    onPointerCancel: () => setDragged(null),
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
      if (step === undefined) return
      event.preventDefault()
      const { currentTarget } = event
      move(index, index + step)
      // React moves the row, which loses the focus.
      requestAnimationFrame(() => currentTarget.focus())
    },
  })

  return { attach, dragged, announcement, handle }
}
