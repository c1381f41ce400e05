import { useSyncExternalStore } from 'react'
import { toast } from '../shell/toasts.ts'
import { counted } from '../ui/numbers.ts'
import { sentenceOf } from './client.ts'
import { queryClient } from './query-client.ts'

const UNDO_MS = 6000
const AT_ONCE = 4

export interface Removal {
  readonly uuids: readonly string[]
  /** What they are, in the singular: `link`. */
  readonly what: string
  readonly remove: (uuid: string) => Promise<unknown>
  /** The queries that list them. */
  readonly keys: readonly string[]
}

let hidden: ReadonlySet<string> = new Set()
const listeners = new Set<() => void>()
const waiting = new Map<Removal, ReturnType<typeof setTimeout>>()

const change = (next: ReadonlySet<string>): void => {
  hidden = next
  for (const listener of listeners) listener()
}

const show = (uuids: readonly string[]): void =>
  change(new Set([...hidden].filter((uuid) => !uuids.includes(uuid))))

const run = async (removal: Removal): Promise<void> => {
  waiting.delete(removal)
  const queue = [...removal.uuids]
  const failures: string[] = []
  const work = async (): Promise<void> => {
    for (let uuid = queue.shift(); uuid !== undefined; uuid = queue.shift()) {
      try {
        await removal.remove(uuid)
      } catch (error) {
        failures.push(sentenceOf(error))
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  await Promise.all(removal.keys.map((key) => queryClient.invalidateQueries({ queryKey: [key] })))
  show(removal.uuids)
  if (failures[0] !== undefined)
    toast.failure(`${counted(failures.length, removal.what)} could not be removed: ${failures[0]}`)
}

/**
 * Removes things after a while in which it can be taken back. Until then they are only hidden: a removed short code
 * never comes back, so there is nothing that could undo the real thing.
 */
export function removeLater(removal: Removal): void {
  change(new Set([...hidden, ...removal.uuids]))
  waiting.set(
    removal,
    setTimeout(() => void run(removal), UNDO_MS),
  )
  toast.undoable(`${counted(removal.uuids.length, removal.what)} removed`, UNDO_MS, () => {
    clearTimeout(waiting.get(removal))
    waiting.delete(removal)
    show(removal.uuids)
  })
}

// Leaving the page confirms the removal.
addEventListener('pagehide', () => {
  for (const [removal, timer] of waiting) {
    clearTimeout(timer)
    void run(removal)
  }
})

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The uuids that are about to be removed, and so no longer shown. */
export const useHidden = (): ReadonlySet<string> => useSyncExternalStore(subscribe, () => hidden)
