import { Field, type FieldFrame } from './field.tsx'
import { type DayEdge, zoneAt } from './local-times.ts'

/** A date with an optional time, in the browser's time zone, which is shown. */
export function MomentField({
  value,
  onValue,
  edge,
  timeLabel,
  hint,
  ...frame
}: FieldFrame & {
  /** `2026-12-24`, `2026-12-24T18:00`, or empty. */
  readonly value: string
  readonly onValue: (value: string) => void
  /** The meaning of a date without a time. */
  readonly edge: DayEdge
  readonly timeLabel: string
}) {
  const [date = '', time = ''] = value.split('T')
  const meaning = `Without a time: the ${edge} of that day.`
  return (
    <Field
      {...frame}
      hint={
        <>
          {hint} {meaning} Time zone: {zoneAt(value)}.
        </>
      }
    >
      {(control) => (
        <div className="flex flex-wrap gap-2">
          <input
            {...control}
            type="date"
            className="input min-w-36 flex-1"
            value={date}
            onChange={({ target }) =>
              onValue(target.value === '' || time === '' ? target.value : `${target.value}T${time}`)
            }
          />
          <input
            type="time"
            aria-label={timeLabel}
            className="input w-32 shrink-0"
            value={time}
            disabled={date === ''}
            onChange={({ target }) => onValue(target.value === '' ? date : `${date}T${target.value}`)}
          />
        </div>
      )}
    </Field>
  )
}
