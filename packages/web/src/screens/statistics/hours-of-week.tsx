import { useQuery } from '@tanstack/react-query'
import type { Filters } from '../../api/analytics-filters.ts'
import { breakdownQuery, type Range, type Scope } from '../../api/analytics.ts'
import { count, noun } from '../../ui/numbers.ts'
import { Card } from '../../ui/screen.tsx'

const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
const DAYS = [1, 2, 3, 4, 5, 6, 7]
// 1 January 2024 was a Monday.
const dayName = (day: number, length: 'short' | 'long'): string =>
  new Intl.DateTimeFormat(undefined, { weekday: length }).format(new Date(2024, 0, day))
const two = (value: number): string => String(value).padStart(2, '0')
const hourName = (hour: number): string => `${two(hour)}:00 to ${two(hour + 1)}:00`

/** Clicks by day of the week and hour; darker means more. */
export function HoursOfWeek({
  scope,
  range,
  filters,
}: {
  readonly scope: Scope
  readonly range: Range
  readonly filters: Filters
}) {
  // Loaded together with the totals.
  const query = useQuery({ ...breakdownQuery(scope, range, filters, 'hour_of_week'), enabled: false })
  const clicks = new Map(query.data?.map((row) => [row.value, row.clicks]))
  const clicksAt = (day: number, hour: number): number => clicks.get(`${day}-${two(hour)}`) ?? 0
  const most = Math.max(1, ...clicks.values())
  const [busiest] = query.data ?? []
  const [busyDay = 1, busyHour = 0] = (busiest?.value ?? '1-00').split('-').map(Number)
  const summary =
    busiest === undefined
      ? 'No clicks in this period'
      : `Busiest: ${dayName(busyDay, 'long')}, ${hourName(busyHour)}`
  return (
    <Card title="Hours of the week" lead={summary} className="p-5 sm:p-6 md:col-span-2">
      <div
        role="img"
        aria-label={`Clicks by hour of the week. ${summary}.`}
        className="grid grid-cols-[2.25rem_repeat(24,minmax(0,1fr))] gap-[2px] text-[0.6875rem] text-faint"
      >
        {DAYS.map((day) => (
          <div key={day} className="col-span-full grid grid-cols-subgrid items-center">
            <span className="pr-1">{dayName(day, 'short')}</span>
            {HOURS.map((hour) => {
              const at = clicksAt(day, hour)
              return (
                <span
                  key={hour}
                  title={`${dayName(day, 'long')}, ${hourName(hour)}: ${count(at)} ${noun(at, 'click')}`}
                  className="relative block h-5 overflow-hidden rounded-[2px] bg-sunken"
                >
                  {at > 0 && (
                    <span
                      className="absolute inset-0 bg-chart"
                      style={{ opacity: 0.15 + (at / most) * 0.85 }}
                    />
                  )}
                </span>
              )
            })}
          </div>
        ))}
        <span />
        {HOURS.map((hour) => (
          <span key={hour} className="tabular">
            {hour % 6 === 0 ? two(hour) : ''}
          </span>
        ))}
      </div>
    </Card>
  )
}
