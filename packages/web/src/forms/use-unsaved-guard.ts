import { useBlocker } from '@tanstack/react-router'

const QUESTION = 'Leave without saving your changes?'

/** Asks before unsaved changes are discarded, also when the tab is closed. */
export function useUnsavedGuard(form: { readonly isChanged: () => boolean; readonly isBusy: boolean }): void {
  const isAtRisk = (): boolean => !form.isBusy && form.isChanged()
  useBlocker({
    // oxlint-disable-next-line no-alert -- the one question that must also stop the browser's own buttons
    shouldBlockFn: () => isAtRisk() && !window.confirm(QUESTION),
    enableBeforeUnload: isAtRisk,
  })
}
