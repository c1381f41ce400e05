import { useState } from 'react'

/** The selected rows. Shift selects a range. */
export function useSelection(uuids: readonly string[]) {
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  const [anchor, setAnchor] = useState<string | null>(null)
  const [everythingOf, setEverythingOf] = useState<string | null>(null)
  const visible = uuids.filter((uuid) => picked.has(uuid))
  // Valid as long as the same rows are shown and selected.
  const rows = uuids.join()
  const isAll = uuids.length > 0 && visible.length === uuids.length

  const toggle = (uuid: string, isRange = false): void => {
    const from = anchor === null ? -1 : uuids.indexOf(anchor)
    const to = uuids.indexOf(uuid)
    const next = new Set(picked)
    if (isRange && from !== -1 && to !== -1) {
      for (const between of uuids.slice(Math.min(from, to), Math.max(from, to) + 1)) next.add(between)
    } else if (!next.delete(uuid)) {
      next.add(uuid)
    }
    setPicked(next)
    setAnchor(uuid)
  }

  return {
    has: (uuid: string): boolean => picked.has(uuid),
    toggle,
    all: () => setPicked(new Set(uuids)),
    clear: () => {
      setPicked(new Set())
      setEverythingOf(null)
    },
    /** Only visible rows can be acted on. */
    uuids: visible,
    isAll,
    /** All items of the list, not only the rows of this page. */
    isEverything: isAll && everythingOf === rows,
    everything: () => setEverythingOf(rows),
  }
}

export type Selection = ReturnType<typeof useSelection>
