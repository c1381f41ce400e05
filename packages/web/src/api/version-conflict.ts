import { useSyncExternalStore } from 'react'
import type { Conflict } from '../forms/merge.ts'

/** The user's decision: for each path, which version to keep. Null: the save is cancelled. */
export type Decision = ReadonlyMap<string, 'mine' | 'theirs'> | null

/** A question about fields that were changed both here and elsewhere. */
export interface ConflictQuestion {
  readonly conflicts: readonly Conflict[]
  /** The label of a field. */
  readonly nameOf: (path: string) => string
  readonly answer: (decision: Decision) => void
}

let question: ConflictQuestion | null = null
const listeners = new Set<() => void>()

const change = (next: ConflictQuestion | null): void => {
  question = next
  for (const listener of listeners) listener()
}

/** Asks which version of each field to keep. */
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
