import { Link, useRouter } from '@tanstack/react-router'
import { CloudOff } from 'lucide-react'
import { useState } from 'react'
import { sentenceOf } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { LoadError } from '../ui/load-on-demand.tsx'
import { Notice } from '../ui/notice.tsx'
import { Skeletons, useTitle } from '../ui/screen.tsx'
import { isServerUp } from './connection.tsx'
import { showNewWorkspace } from './workspace-menu.tsx'

export function RoutePending() {
  return (
    <div className="p-6">
      <Skeletons count={4} className="h-16" />
    </div>
  )
}

export function RouteFailure({ error }: { readonly error: unknown }) {
  const router = useRouter()
  if (error instanceof LoadError) return <ScreenUnavailable />
  return (
    <div className="mx-auto max-w-md space-y-4 p-8">
      <h1 className="text-2xl">This screen could not be loaded</h1>
      <Notice kind="danger">{sentenceOf(error)}</Notice>
      <Button onClick={() => void router.invalidate()}>Try again</Button>
    </div>
  )
}

/**
 * The files of a screen could not be loaded. The page is reloaded only when the server responds, because a reload without a
 * server ends at the browser's error page.
 */
function ScreenUnavailable() {
  useTitle('Screen unavailable')
  const [isBusy, setIsBusy] = useState(false)
  const [attempts, setAttempts] = useState(0)
  const retry = async (): Promise<void> => {
    setIsBusy(true)
    if (await isServerUp()) return location.reload()
    setIsBusy(false)
    setAttempts(attempts + 1)
  }
  return (
    <div className="mx-auto grid min-h-[60dvh] max-w-md place-content-center justify-items-center text-center">
      <CloudOff aria-hidden size={44} strokeWidth={1.4} className="mb-5 text-faint" />
      <h1 className="text-2xl">This screen could not be loaded</h1>
      <p className="mt-2 mb-6 text-muted">
        The server cannot be reached, or it was updated. Nothing you saved is lost.
      </p>
      <Button look="primary" isBusy={isBusy} onClick={() => void retry()}>
        Try again
      </Button>
      <p role="status" className="mt-3 min-h-6 text-sm text-muted">
        {attempts > 0 && !isBusy && 'The server still cannot be reached.'}
      </p>
    </div>
  )
}

/** For a user who has left or removed their last workspace. */
export function NoWorkspace() {
  useTitle('No workspace')
  return (
    <div className="mx-auto grid min-h-[60dvh] max-w-md place-content-center justify-items-center text-center">
      <h1 className="text-2xl">You are not in a workspace</h1>
      <p className="mt-2 mb-6 text-muted">
        Create one for your links, codes and pages, or ask for an invitation to another one.
      </p>
      <Button look="primary" onClick={() => showNewWorkspace(true)}>
        Create workspace
      </Button>
    </div>
  )
}

export const RouteMissing = () => (
  <NotFound title="Page not found">This page does not exist or was removed.</NotFound>
)

/** Says what was not found: a screen, or its resource. */
export function NotFound({ title, children }: { readonly title: string; readonly children: string }) {
  useTitle(title)
  return (
    <div className="mx-auto grid min-h-[60dvh] max-w-md place-content-center text-center">
      <p className="plate plate-faded mx-auto mb-5">404</p>
      <h1 className="text-2xl">{title}</h1>
      <p className="mt-2 mb-6 text-muted">{children}</p>
      <Link to="/" className="button button-primary mx-auto">
        Go to Home
      </Link>
    </div>
  )
}
