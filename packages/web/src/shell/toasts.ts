/** A short message that disappears after a while, with at most one action. */
export interface Toast {
  readonly id: number
  readonly text: string
  readonly kind: 'news' | 'failure'
  readonly action?: { readonly label: string; readonly run: () => void } | undefined
}

const NEWS_MS = 4000
const FAILURE_MS = 8000

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

const change = (next: readonly Toast[]): void => {
  toasts = next
  for (const listener of listeners) listener()
}

const dismiss = (id: number): void => change(toasts.filter((one) => one.id !== id))

const show = (text: string, kind: Toast['kind'], shownMs: number, action?: Toast['action']): number => {
  const id = ++lastId
  change([...toasts.slice(-2), { id, text, kind, action }])
  setTimeout(() => dismiss(id), shownMs)
  return id
}

export const toast = {
  news: (text: string): number => show(text, 'news', NEWS_MS),
  failure: (text: string): number => show(text, 'failure', FAILURE_MS),
  /** A message with an Undo button. */
  undoable: (text: string, shownMs: number, undo: () => void): number =>
    show(text, 'news', shownMs, { label: 'Undo', run: undo }),
  dismiss,
  /** Removes messages with an Undo button that can no longer be used. */
  clear: (): void => change(toasts.filter(({ action }) => action === undefined)),
}

export const toastStore = {
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  read: (): readonly Toast[] => toasts,
}
