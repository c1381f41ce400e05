import { Link, useRouter } from '@tanstack/react-router'
import { sentenceOf } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { Skeletons, useTitle } from '../ui/screen.tsx'

export function RoutePending() {
  return (
    <div className="p-6">
      <Skeletons count={4} className="h-16" />
    </div>
  )
}

export function RouteFailure({ error }: { readonly error: unknown }) {
  const router = useRouter()
  return (
    <div className="mx-auto max-w-md space-y-4 p-8">
      <Notice kind="danger">{sentenceOf(error)}</Notice>
      <Button onClick={() => void router.invalidate()}>Try again</Button>
    </div>
  )
}

export function RouteMissing() {
  useTitle('Page not found')
  return (
    <main className="mx-auto grid min-h-[70dvh] max-w-md place-content-center p-8 text-center">
      <p className="plate plate-faded mx-auto mb-5">404</p>
      <h1 className="text-2xl">Page not found</h1>
      <p className="mt-2 mb-6 text-muted">This page does not exist or was removed.</p>
      <Link to="/" className="button button-primary mx-auto">
        Go to Home
      </Link>
    </main>
  )
}
