import { type Dispatch, type SetStateAction, useEffect, useRef, useState } from 'react'
import { type Draft, readDraft, removeDraft, writeDraft } from './drafts.ts'

const PAUSE_MS = 300

/**
 * Stores the unsaved input of a form in this browser and restores it the next time the form opens. `omitted` are fields that
 * must not be stored, such as passwords. A successful save must call `removeDraft`.
 */
export function useDraft<V extends object>(
  key: string,
  form: {
    readonly values: V
    readonly setValues: Dispatch<SetStateAction<V>>
    readonly isChanged: () => boolean
    readonly isBusy: boolean
  },
  initial: V,
  omitted: readonly (keyof V & string)[],
) {
  const { values, setValues, isChanged, isBusy } = form
  const [restored, setRestored] = useState<Draft | null>(() => readDraft(key))
  const found = useRef(restored)
  useEffect(() => {
    const draft = found.current
    if (draft !== null) setValues((before) => ({ ...before, ...draft.values }))
  }, [setValues])

  useEffect(() => {
    const store = (): void => {
      // The running save removes the draft.
      if (isBusy) return
      const kept = Object.entries(values).filter(([name]) => !(omitted as readonly string[]).includes(name))
      if (isChanged()) writeDraft(key, Object.fromEntries(kept))
    }
    const timer = setTimeout(store, PAUSE_MS)
    addEventListener('pagehide', store)
    return () => {
      clearTimeout(timer)
      removeEventListener('pagehide', store)
      store()
    }
  }, [values, isChanged, isBusy, key, omitted])

  return {
    /** When the restored input was typed; null when nothing was restored. */
    restoredAt: restored === null ? null : new Date(restored.savedAt).toISOString(),
    discard: () => {
      removeDraft(key)
      setRestored(null)
      setValues(initial)
    },
  }
}
