import type { Analytics } from '@waymark/sdk'
import { type KeyboardEvent, useRef, useState } from 'react'
import { count, noun } from '../ui/numbers.ts'
import { countTicks, labelPositions } from './ticks.ts'
import { pointLabel } from './time-format.ts'
import { useWidth } from './use-width.ts'

type Point = Analytics['series'][number]

const LABEL_WIDTH = 74
const AXIS_LEFT = 40
const AXIS_BOTTOM = 26
const TOP = 10

interface TimeChartProps {
  readonly series: readonly Point[]
  readonly interval: Analytics['interval']
  readonly hasBots?: boolean
  /** The previous period, point by point, drawn as a dashed line. */
  readonly previous?: readonly Point[] | undefined
  readonly height?: number
  readonly title: string
  /** The unit, in the singular. */
  readonly unit?: string
}

/** Clicks over time as bars, with a table of the numbers for screen readers. */
export function TimeChart({
  series,
  interval,
  hasBots = false,
  previous = [],
  height = 240,
  title,
  unit = 'click',
}: TimeChartProps) {
  const frameRef = useRef<HTMLDivElement>(null)
  const width = useWidth(frameRef)
  const [active, setActive] = useState<number | null>(null)

  const before = previous.slice(0, series.length)
  const top = Math.max(
    0,
    ...series.map((point) => point.clicks + (hasBots ? point.bots : 0)),
    ...before.map((point) => point.clicks),
  )
  const ticks = countTicks(top)
  const max = ticks.at(-1) ?? 1
  const inner = Math.max(0, width - AXIS_LEFT)
  const slot = series.length === 0 ? 0 : inner / series.length
  const plot = height - AXIS_BOTTOM - TOP
  const y = (value: number): number => TOP + plot - (value / max) * plot
  const gap = Math.min(6, slot * 0.25)
  const labels = labelPositions(series.length, Math.max(1, Math.floor(inner / LABEL_WIDTH)))

  // Centred under its bar, the last label would be cut off.
  const isAtEdge = (index: number): boolean => AXIS_LEFT + (index + 0.5) * slot + LABEL_WIDTH / 3 > width

  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (step === undefined || series.length === 0) return
    event.preventDefault()
    setActive(((active ?? (step > 0 ? -1 : series.length)) + step + series.length) % series.length)
  }

  const running = isRunning(series.at(-1), interval) ? series.length - 1 : undefined
  const shown = active === null ? undefined : series[active]
  return (
    <div ref={frameRef} className="relative">
      <svg
        role="img"
        aria-label={`${title}. Use the arrow keys to read each point.`}
        tabIndex={0}
        width={width}
        height={height}
        className="block touch-pan-y rounded-md"
        onKeyDown={onKeyDown}
        onBlur={() => setActive(null)}
        onPointerLeave={() => setActive(null)}
        onPointerMove={(event) => {
          const x = event.clientX - event.currentTarget.getBoundingClientRect().left - AXIS_LEFT
          setActive(x < 0 || slot === 0 ? null : Math.min(series.length - 1, Math.floor(x / slot)))
        }}
      >
        {ticks.map((tick) => (
          <g key={tick}>
            <line x1={AXIS_LEFT} x2={width} y1={y(tick)} y2={y(tick)} className="stroke-line" />
            <text
              x={AXIS_LEFT - 8}
              y={y(tick) + 4}
              textAnchor="end"
              fontSize="11"
              className="fill-faint tabular"
            >
              {count(tick)}
            </text>
          </g>
        ))}
        {series.map((point, index) => {
          const x = AXIS_LEFT + index * slot + gap / 2
          const barWidth = Math.max(1, slot - gap)
          const clicksTop = y(point.clicks)
          return (
            <g key={point.at}>
              {active === index && (
                <rect
                  x={AXIS_LEFT + index * slot}
                  y={TOP}
                  width={slot}
                  height={plot}
                  className="fill-line opacity-50"
                />
              )}
              {point.clicks > 0 && (
                <Bar
                  x={x}
                  y={clicksTop}
                  width={barWidth}
                  height={y(0) - clicksTop}
                  className={index === running ? 'fill-chart opacity-45' : 'fill-chart'}
                />
              )}
              {hasBots && point.bots > 0 && (
                <Bar
                  x={x}
                  y={y(point.clicks + point.bots)}
                  width={barWidth}
                  height={clicksTop - y(point.clicks + point.bots)}
                  className="fill-[var(--chart-bots)]"
                />
              )}
            </g>
          )
        })}
        {before.length > 0 && (
          <PreviousLine
            points={before.map(({ clicks }, index) => [AXIS_LEFT + (index + 0.5) * slot, y(clicks)])}
          />
        )}
        {labels.map((index) => (
          <text
            key={series[index]?.at}
            x={isAtEdge(index) ? width : AXIS_LEFT + (index + 0.5) * slot}
            y={height - 8}
            textAnchor={isAtEdge(index) ? 'end' : 'middle'}
            fontSize="11"
            className="fill-faint"
          >
            {pointLabel(series[index]?.at ?? '', interval, 'short')}
          </text>
        ))}
      </svg>
      {shown !== undefined && active !== null && (
        <PointNote
          point={shown}
          before={before[active]}
          interval={interval}
          hasBots={hasBots}
          unit={unit}
          isRunning={active === running}
          left={AXIS_LEFT + (active + 0.5) * slot}
          frameWidth={width}
        />
      )}
      <SeriesTable {...{ title, series, interval, hasBots, unit, running }} previous={before} />
    </div>
  )
}

const LENGTHS_MS = { hour: 3_600_000, day: 86_400_000, week: 604_800_000, month: 28 * 86_400_000 }

/** Whether the period of a point is not over yet. */
const isRunning = (point: Point | undefined, interval: Analytics['interval'], nowMs = Date.now()): boolean =>
  point !== undefined && Date.parse(point.at) + LENGTHS_MS[interval] > nowMs

function Bar(props: { x: number; y: number; width: number; height: number; className: string }) {
  return <rect rx={Math.min(3, props.width / 3, props.height)} {...props} />
}

/** The previous period, in front of the bars. */
function PreviousLine({ points }: { readonly points: readonly (readonly [x: number, y: number])[] }) {
  return (
    <polyline
      points={points.join(' ')}
      className="fill-none stroke-[1.5] stroke-muted"
      strokeDasharray="4 3"
      strokeLinejoin="round"
    />
  )
}

const NOTE_WIDTH = 168

function PointNote({
  point,
  before,
  interval,
  hasBots,
  unit,
  isRunning,
  left,
  frameWidth,
}: {
  readonly point: Point
  readonly before: Point | undefined
  readonly interval: Analytics['interval']
  readonly hasBots: boolean
  readonly unit: string
  readonly isRunning: boolean
  readonly left: number
  readonly frameWidth: number
}) {
  const x = Math.max(0, Math.min(left - NOTE_WIDTH / 2, frameWidth - NOTE_WIDTH))
  return (
    <div
      role="status"
      className="pointer-events-none absolute top-0 rounded-md border border-line bg-raised px-3 py-2 text-sm shadow-md"
      style={{ left: x, width: NOTE_WIDTH }}
    >
      <p className="text-xs text-faint">
        {pointLabel(point.at, interval, 'long')}
        {isRunning && ', so far'}
      </p>
      <p className="font-bold tabular">
        {count(point.clicks)} {noun(point.clicks, unit)}
      </p>
      <p className="text-xs text-muted tabular">
        {count(point.uniques)} {noun(point.uniques, 'visitor')}
        {hasBots && `, ${count(point.bots)} bots`}
      </p>
      {before !== undefined && (
        <p className="mt-1 border-t border-line pt-1 text-xs text-muted tabular">
          {pointLabel(before.at, interval, 'short')}: {count(before.clicks)} {noun(before.clicks, unit)}
        </p>
      )}
    </div>
  )
}

function SeriesTable({
  title,
  series,
  interval,
  hasBots = false,
  previous = [],
  unit = 'click',
  running,
}: TimeChartProps & { readonly running: number | undefined }) {
  const units = `${unit.charAt(0).toUpperCase()}${unit.slice(1)}s`
  return (
    // A table is as wide as its text regardless of its style, and would widen the page.
    <div className="sr-only">
      <table>
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">{units}</th>
            <th scope="col">Visitors</th>
            {hasBots && <th scope="col">Bots</th>}
            {previous.length > 0 && <th scope="col">{units} in the period before</th>}
          </tr>
        </thead>
        <tbody>
          {series.map((point, index) => (
            <tr key={point.at}>
              <th scope="row">
                {pointLabel(point.at, interval, 'long')}
                {index === running && ', so far'}
              </th>
              <td>{point.clicks}</td>
              <td>{point.uniques}</td>
              {hasBots && <td>{point.bots}</td>}
              {previous.length > 0 && <td>{previous[index]?.clicks}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
