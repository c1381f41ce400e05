import { Outlet, useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useChosenWorkspace } from '../api/chosen-workspace.ts'
import { useSignInRequest } from '../api/sign-in-again.ts'
import { useRemovalQuestion } from '../api/removal-question.ts'
import { useConflictQuestion } from '../api/version-conflict.ts'
import { Demanded, loadOnDemand } from '../ui/load-on-demand.tsx'
import { ConnectionBanner } from './connection.tsx'
import { closePalette, openPalette, useIsPaletteOpen } from './palette-state.ts'
import { BottomBar, TopBar } from './phone-bars.tsx'
import { NoWorkspace } from './route-states.tsx'
import { showShortcuts, useShortcuts, useShortcutsDialog } from './shortcuts.ts'
import { Sidebar } from './sidebar.tsx'
import { toast } from './toasts.ts'
import { showNewWorkspace, useNewWorkspaceDialog } from './workspace-menu.tsx'

const Palette = loadOnDemand(async () => (await import('./palette.tsx')).Palette)
const ShortcutsDialog = loadOnDemand(async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog)
const SignInAgainDialog = loadOnDemand(
  async () => (await import('./sign-in-again-dialog.tsx')).SignInAgainDialog,
)
const ConfirmDialog = loadOnDemand(async () => (await import('./confirm-dialog.tsx')).ConfirmDialog)
const ConflictDialog = loadOnDemand(async () => (await import('./conflict-dialog.tsx')).ConflictDialog)
const RemovalDialog = loadOnDemand(async () => (await import('./removal-dialog.tsx')).RemovalDialog)

const NewWorkspaceDialog = loadOnDemand(
  async () => (await import('./new-workspace-dialog.tsx')).NewWorkspaceDialog,
)

const PALETTE_AFTER_MS = 2000

function usePaletteShortcut(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return
      event.preventDefault()
      openPalette()
    }
    addEventListener('keydown', onKeyDown)
    // Preloaded when idle, so that it opens immediately.
    const timer = setTimeout(() => void Palette.preload(), PALETTE_AFTER_MS)
    return () => {
      clearTimeout(timer)
      removeEventListener('keydown', onKeyDown)
    }
  }, [])
}

/** The frame of every screen behind the sign-in. */
export function Shell() {
  const { pathname } = useLocation()
  const mainRef = useRef<HTMLElement>(null)
  const lastPath = useRef(pathname)
  const isPaletteOpen = useIsPaletteOpen()
  const signInRequest = useSignInRequest()
  const removalQuestion = useRemovalQuestion()
  const conflictQuestion = useConflictQuestion()
  const isShortcutsOpen = useShortcutsDialog()
  const workspace = useChosenWorkspace()
  const isCreating = useNewWorkspaceDialog()
  usePaletteShortcut()
  useShortcuts()

  // A new screen is announced to screen readers by moving the focus to it, like a page load.
  useEffect(() => {
    if (lastPath.current === pathname) return
    lastPath.current = pathname
    mainRef.current?.focus({ preventScroll: true })
  }, [pathname])

  return (
    <div className="flex min-h-dvh flex-col lg:flex-row">
      <a
        href="#main"
        className="button button-primary fixed top-2 left-2 z-50 -translate-y-20 focus-visible:translate-y-0"
        onClick={(event) => {
          event.preventDefault()
          mainRef.current?.focus()
        }}
      >
        Skip to content
      </a>
      <Sidebar />
      <TopBar />
      <main
        ref={mainRef}
        id="main"
        tabIndex={-1}
        className="mx-auto w-full max-w-[84rem] min-w-0 flex-1 px-4 pt-6 pb-28 outline-none sm:px-8 lg:px-10 lg:pt-9 lg:pb-16"
      >
        {workspace === null && !pathname.startsWith('/settings') ? (
          <NoWorkspace />
        ) : (
          <Outlet key={workspace} />
        )}
      </main>
      <BottomBar />
      <ConnectionBanner />
      {isPaletteOpen && (
        <Demanded
          onFailure={(error) => {
            closePalette()
            toast.failure(error.message)
          }}
        >
          <Palette onClose={closePalette} />
        </Demanded>
      )}
      {isShortcutsOpen && (
        <Demanded
          onFailure={(error) => {
            showShortcuts(false)
            toast.failure(error.message)
          }}
        >
          <ShortcutsDialog onClose={() => showShortcuts(false)} />
        </Demanded>
      )}
      {isCreating && (
        <Demanded
          onFailure={(error) => {
            showNewWorkspace(false)
            toast.failure(error.message)
          }}
        >
          <NewWorkspaceDialog onClose={() => showNewWorkspace(false)} />
        </Demanded>
      )}
      {signInRequest !== null && (
        <Demanded onFailure={() => signInRequest.answer(false)}>
          {signInRequest.kind === 'proof' ? (
            <ConfirmDialog onAnswer={signInRequest.answer} />
          ) : (
            <SignInAgainDialog onAnswer={signInRequest.answer} />
          )}
        </Demanded>
      )}
      {removalQuestion !== null && (
        <Demanded onFailure={() => removalQuestion.answer(false)}>
          <RemovalDialog {...removalQuestion} />
        </Demanded>
      )}
      {conflictQuestion !== null && (
        <Demanded onFailure={() => conflictQuestion.answer(null)}>
          <ConflictDialog {...conflictQuestion} />
        </Demanded>
      )}
    </div>
  )
}
