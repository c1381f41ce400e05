import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import { snapshot } from './snapshot.ts'

const QUESTION = 'Leave without saving your changes?'

/** What the server holds of a form, and the way to say that it now holds something else. */
export function useKept(initial: object): [kept: string, markSaved: (values: object) => void] {
  const [kept, setKept] = useState(() => snapshot(initial))
  return [kept, (values) => setKept(snapshot(values))]
}

/** Asks before unsaved changes are discarded, also when the tab is closed. */
export function useUnsavedGuard(values: object, kept: string, isSaving: boolean): void {
  const isAtRisk = (): boolean => !isSaving && snapshot(values) !== kept
  useBlocker({
    // oxlint-disable-next-line no-alert -- the one question that must also stop the browser's own buttons
    shouldBlockFn: () => isAtRisk() && !window.confirm(QUESTION),
    enableBeforeUnload: isAtRisk,
  })
}
