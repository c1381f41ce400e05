import { useSyncExternalStore } from 'react'
import { toast } from '../shell/toasts.ts'
import { counted } from '../ui/numbers.ts'
import { api, sentenceOf } from './client.ts'
import { askBeforeRemoval, type Stakes } from './removal-question.ts'
import { listsChanged } from './trash.ts'

const UNDO_MS = 10_000
/** Number of items that one request can remove or restore. */
const AT_ONCE = 1000

export interface Removal {
  readonly uuids: readonly string[]
  /** The kind of item, in the singular: `link`. */
  readonly what: string
  readonly stakes: Stakes
  /** Moves some of them to the trash, all or none. */
  readonly remove: (uuids: string[]) => Promise<unknown>
}

let hidden: ReadonlySet<string> = new Set()
const listeners = new Set<() => void>()

const change = (next: ReadonlySet<string>): void => {
  hidden = next
  for (const listener of listeners) listener()
}

const show = (uuids: readonly string[]): void => {
  const shown = new Set(uuids)
  change(new Set([...hidden].filter((uuid) => !shown.has(uuid))))
}

const inBatches = async (
  uuids: readonly string[],
  work: (some: string[]) => Promise<unknown>,
): Promise<void> => {
  for (let at = 0; at < uuids.length; at += AT_ONCE) await work(uuids.slice(at, at + AT_ONCE))
}

/** Restores removed items from the trash. */
export async function restore(uuids: readonly string[]): Promise<void> {
  try {
    await inBatches(uuids, (some) => api.restore({ uuids: some }))
  } catch (error) {
    toast.failure(`Not restored: ${sentenceOf(error)}`)
  }
  await listsChanged()
}

/**
 * Moves items to the trash, from which Undo or the Trash screen restores them. Asks first if visitors would notice. Returns
 * whether they were removed.
 */
export async function removeToTrash({ uuids, what, stakes, remove }: Removal): Promise<boolean> {
  const isInUse = stakes.visits > 0 || stakes.mayBePrinted
  if (isInUse && !(await askBeforeRemoval({ ...stakes, uuids, what }))) return false
  // Hidden immediately; the lists are refetched after the server has removed them.
  change(new Set([...hidden, ...uuids]))
  try {
    await inBatches(uuids, remove)
    toast.undoable(`${counted(uuids.length, what)} removed`, UNDO_MS, () => void restore(uuids))
    return true
  } catch (error) {
    toast.failure(`${counted(uuids.length, what)} could not be removed: ${sentenceOf(error)}`)
    return false
  } finally {
    await listsChanged()
    show(uuids)
  }
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The uuids that are being removed, and so are no longer shown. */
export const useHidden = (): ReadonlySet<string> => useSyncExternalStore(subscribe, () => hidden)
