import { useSyncExternalStore } from 'react'
import type { Conflict } from '../forms/merge.ts'

/** How the user decided: for each path, which version stays. Null: the save is cancelled. */
export type Decision = ReadonlyMap<string, 'mine' | 'theirs'> | null

/** A question about fields that were changed here and elsewhere. */
export interface ConflictQuestion {
  readonly conflicts: readonly Conflict[]
  /** What a field is called on the screen. */
  readonly nameOf: (path: string) => string
  readonly answer: (decision: Decision) => void
}

let question: ConflictQuestion | null = null
const listeners = new Set<() => void>()

const change = (next: ConflictQuestion | null): void => {
  question = next
  for (const listener of listeners) listener()
}

/** Asks which version of each field stays. */
export const askAboutConflicts = async (
  conflicts: readonly Conflict[],
  nameOf: (path: string) => string,
): Promise<Decision> => {
  const decision = await new Promise<Decision>((resolve) => change({ conflicts, nameOf, answer: resolve }))
  change(null)
  return decision
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useConflictQuestion = (): ConflictQuestion | null =>
  useSyncExternalStore(subscribe, () => question)
