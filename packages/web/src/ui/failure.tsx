import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { sentenceOf } from '../api/client.ts'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'

/** A part of a screen that failed to load: the server's message and a retry button. */
export function Failure({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Notice kind="danger">{sentenceOf(error)}</Notice>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  )
}

/** A screen whose data failed to load. */
export function ScreenFailure(props: { readonly error: unknown; readonly onRetry: () => void }) {
  return (
    <>
      <h1 className="mb-4 text-2xl">This screen could not be loaded</h1>
      <Failure {...props} />
    </>
  )
}

/** The result of a query; before that a placeholder of about the same size, or the error. A failed refresh keeps the data. */
export function Loaded<T>({
  query,
  skeleton,
  children,
}: {
  readonly query: Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch'>
  /** The height of the placeholder. */
  readonly skeleton: string
  readonly children: (data: T) => ReactNode
}) {
  if (query.data !== undefined) return children(query.data)
  if (query.error !== null) return <Failure error={query.error} onRetry={() => void query.refetch()} />
  return <div role="status" aria-label="Loading" className={`skeleton ${skeleton}`} />
}
