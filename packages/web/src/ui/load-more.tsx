import { useEffect, useRef } from 'react'
import { Button } from './button.tsx'
import { counted } from './numbers.ts'

/** The end of a list that is loaded page by page: the next page is fetched when it comes into view, or by the button. */
export function LoadMore({
  query,
  total,
  what,
}: {
  readonly query: {
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    readonly fetchNextPage: () => Promise<unknown>
  }
  readonly total: number
  readonly what: string
}) {
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const end = ref.current
    if (end === null || !hasNextPage || isFetchingNextPage) return undefined
    const observer = new IntersectionObserver(
      ([entry]) => entry?.isIntersecting === true && void fetchNextPage(),
      { rootMargin: '600px' },
    )
    observer.observe(end)
    return () => observer.disconnect()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  return (
    <div ref={ref} className="mt-5 flex items-center justify-between gap-3 text-sm text-muted">
      <p>{counted(total, what)}</p>
      {hasNextPage && (
        <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </div>
  )
}
