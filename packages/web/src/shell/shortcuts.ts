import { useNavigate } from '@tanstack/react-router'
import { useEffect, useSyncExternalStore } from 'react'
import { mayNow } from '../api/workspaces.ts'
import { openPalette } from './palette-state.ts'
import { openSwitcher } from './workspace-menu.tsx'

const KEY = 'waymark.shortcuts'
const listeners = new Set<() => void>()

const read = (): boolean => {
  try {
    return localStorage.getItem(KEY) !== 'off'
  } catch {
    return true
  }
}

let isOn = read()
let isDialogOpen = false

const tell = (): void => {
  for (const listener of listeners) listener()
}

export const setShortcuts = (next: boolean): void => {
  isOn = next
  try {
    if (next) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, 'off')
  } catch {
    // Without storage the choice lasts only until the page is closed.
  }
  tell()
}

export const showShortcuts = (isShown: boolean): void => {
  isDialogOpen = isShown
  tell()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useShortcutsOn = (): boolean => useSyncExternalStore(subscribe, () => isOn)
export const useShortcutsDialog = (): boolean => useSyncExternalStore(subscribe, () => isDialogOpen)

/** Moves the focus to the next or previous row of the list. */
const moveRow = (step: 1 | -1): void => {
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row]')]
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  const next = at === -1 ? (step === 1 ? 0 : rows.length - 1) : at + step
  rows[next]?.focus()
}

const focusSearch = (): void => {
  const field = document.querySelector<HTMLInputElement>('main input[type="search"]')
  if (field === null) openPalette()
  else field.select()
}

const TYPING = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable="true"]'

/** Whether a key press is meant for something other than a shortcut. */
const isTaken = (event: KeyboardEvent): boolean =>
  event.ctrlKey ||
  event.metaKey ||
  event.altKey ||
  event.defaultPrevented ||
  (event.target instanceof Element && event.target.closest(TYPING) !== null) ||
  document.querySelector('dialog[open], [popover]:popover-open:not(.toasts)') !== null

type Navigate = ReturnType<typeof useNavigate>

/** What `c` creates depends on the screen. */
const create = (navigate: Navigate): void => {
  if (!mayNow('generateLink')) return
  const path = location.pathname
  if (path.startsWith('/app/codes')) return void navigate({ to: '/codes/qr/$uuid', params: { uuid: 'new' } })
  if (path.startsWith('/app/pages')) return void navigate({ to: '/pages/$uuid', params: { uuid: 'new' } })
  void navigate({ to: '/links', search: { create: true } })
}

/** Single-key shortcuts. They can be disabled, because speech input and some assistive tools type letters by accident. */
export function useShortcuts(): void {
  const navigate = useNavigate()
  const isEnabled = useShortcutsOn()
  useEffect(() => {
    if (!isEnabled) return undefined
    const actions: Record<string, () => void> = {
      c: () => create(navigate),
      '/': focusSearch,
      w: openSwitcher,
      '?': () => showShortcuts(true),
      j: () => moveRow(1),
      k: () => moveRow(-1),
    }
    const onKeyDown = (event: KeyboardEvent): void => {
      const action = actions[event.key]
      if (action === undefined || isTaken(event)) return
      event.preventDefault()
      action()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [navigate, isEnabled])
}
