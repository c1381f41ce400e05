import type { Analytics } from '@waymark/sdk'
import { TrendingDown, TrendingUp } from 'lucide-react'
import { classes } from '../../ui/classes.ts'
import { count } from '../../ui/numbers.ts'

type Previous = Analytics['previous']

const percent = new Intl.NumberFormat(undefined, {
  style: 'percent',
  maximumFractionDigits: 0,
  signDisplay: 'exceptZero',
})
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

/** Clicks, visitors and bots of the period; each with its change from the previous period, if requested. */
export function Totals({
  totals,
  previous,
  areBotsAlone,
  onBots,
  label,
}: {
  readonly totals: Analytics['totals'] | undefined
  readonly previous: Previous
  readonly areBotsAlone: boolean
  readonly onBots: () => void
  /** The label of clicks. */
  readonly label: string
}) {
  return (
    <div>
      <dl className="flex flex-wrap gap-x-8 gap-y-2" aria-live="polite">
        <Total label={label} mark="bg-chart" value={totals?.clicks} before={previous?.totals.clicks} isMain />
        <Total label="Visitors" value={totals?.uniques} before={previous?.totals.uniques} />
        <Total
          label="Bots"
          mark="bg-[var(--chart-bots)]"
          hint={`Not counted as ${label.toLowerCase()}`}
          value={totals?.bots}
          before={previous?.totals.bots}
        />
      </dl>
      <p className="mt-1 flex min-h-5 flex-wrap gap-x-4 text-sm text-faint">
        {previous !== null && (
          <span className="inline-flex items-center gap-2">
            <span aria-hidden className="w-5 border-t-2 border-dashed border-current" />
            Compared with {day.formatRange(new Date(previous.from), new Date(previous.to))}
          </span>
        )}
        {((totals?.bots ?? 0) > 0 || areBotsAlone) && (
          <button
            type="button"
            aria-pressed={areBotsAlone}
            onClick={onBots}
            className="font-semibold text-brand hover:underline"
          >
            {areBotsAlone ? 'Show people' : 'Show only bots'}
          </button>
        )}
      </p>
    </div>
  )
}

function Total({
  label,
  mark,
  hint,
  value,
  before,
  isMain = false,
}: {
  readonly label: string
  /** Its colour in the chart. */
  readonly mark?: string
  readonly hint?: string
  readonly value: number | undefined
  readonly before: number | undefined
  readonly isMain?: boolean
}) {
  return (
    <div>
      <dt className="flex items-center gap-1.5 text-sm text-muted" title={hint}>
        {mark !== undefined && <span aria-hidden className={classes('size-2.5 rounded-[2px]', mark)} />}
        {label}
        {hint !== undefined && <span className="sr-only">. {hint}</span>}
      </dt>
      <dd className="flex items-baseline gap-2">
        <span
          className={
            isMain ? 'text-3xl font-bold tabular' : 'pt-1.5 text-xl font-semibold text-muted tabular'
          }
        >
          {value === undefined ? '–' : count(value)}
        </span>
        {value !== undefined && before !== undefined && <Change value={value} before={before} />}
      </dd>
    </div>
  )
}

/** The change of a figure from the previous period. */
export function Change({ value, before }: { readonly value: number; readonly before: number }) {
  if (value === before) return <span className="text-sm text-muted">no change</span>
  const Icon = value > before ? TrendingUp : TrendingDown
  return (
    <span
      className="inline-flex items-center gap-1 text-sm font-semibold text-muted tabular"
      title={`${count(before)} before`}
    >
      <Icon aria-hidden size={14} className={value > before ? 'text-brand' : 'text-danger'} />
      {before === 0 ? `from 0` : percent.format(value / before - 1)}
    </span>
  )
}
