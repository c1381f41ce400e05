import { Button } from '../../ui/button.tsx'

/** Shown instead of an empty chart: says that nothing was counted, and what to try. */
export function NoClicks({
  unit,
  isFiltered,
  isLongest,
  onClear,
  onLonger,
}: {
  /** The unit, in the singular. */
  readonly unit: 'click' | 'view'
  readonly isFiltered: boolean
  readonly isLongest: boolean
  readonly onClear: () => void
  readonly onLonger: () => void
}) {
  return (
    <div className="flex h-60 flex-col items-center justify-center rounded-md border border-dashed border-line-strong px-6 text-center">
      <svg aria-hidden width="120" height="40" viewBox="0 0 120 40" className="mb-4 text-line-strong">
        {[10, 18, 13, 26, 20, 32, 24, 15].map((height, at) => (
          <rect
            key={at}
            x={at * 15 + 2}
            y={40 - height}
            width="10"
            height={height}
            rx="2"
            fill="none"
            stroke="currentColor"
            strokeDasharray="3 3"
          />
        ))}
      </svg>
      <h2 className="text-base">No {unit}s in this period</h2>
      <p className="mt-1 max-w-[44ch] text-sm text-muted">
        {isFiltered
          ? `No ${unit} matches all the filters.`
          : `${unit === 'view' ? 'Views' : 'Clicks'} appear here within a second.`}
      </p>
      {(isFiltered || !isLongest) && (
        <div className="mt-4">
          {isFiltered ? (
            <Button onClick={onClear}>Clear filters</Button>
          ) : (
            <Button onClick={onLonger}>Show all time</Button>
          )}
        </div>
      )}
    </div>
  )
}
