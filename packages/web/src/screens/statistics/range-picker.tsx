import { useState } from 'react'
import type { Interval } from '../../api/analytics.ts'
import { SelectField } from '../../ui/choices.tsx'
import { dateBefore, FIRST_DAY, type Preset, presets, type RangeChoice } from './ranges.ts'

const intervalNames: Record<Interval, string> = {
  hour: 'Hourly',
  day: 'Daily',
  week: 'Weekly',
  month: 'Monthly',
}

const options = [
  ...presets.map(({ value, label }) => ({ value, label })),
  { value: 'custom' as const, label: 'Custom range' },
]

export function RangePicker({
  choice,
  intervals,
  onChoice,
}: {
  readonly choice: RangeChoice
  readonly intervals: readonly Interval[]
  readonly onChoice: (choice: RangeChoice) => void
}) {
  const choosePreset = (preset: Preset | 'custom'): void => {
    const known = presets.find(({ value }) => value === preset)
    if (known !== undefined) return onChoice({ ...choice, preset, interval: known.interval })
    onChoice({ ...choice, preset, from: dateBefore(7), interval: 'day' })
  }
  return (
    <>
      <SelectField
        label="Date range"
        hasHiddenLabel
        className="w-42"
        value={choice.preset}
        onValue={choosePreset}
        options={options}
      />
      {choice.preset === 'custom' && (
        <>
          <DayInput
            label="Start date"
            value={choice.from}
            max={choice.to}
            onValue={(from) => onChoice({ ...choice, from })}
          />
          <DayInput
            label="End date"
            value={choice.to}
            min={choice.from}
            onValue={(to) => onChoice({ ...choice, to })}
          />
        </>
      )}
      {intervals.length > 1 && (
        <SelectField
          label="Interval"
          hasHiddenLabel
          className="w-32"
          value={choice.interval}
          onValue={(interval) => onChoice({ ...choice, interval })}
          options={intervals.map((value) => ({ value, label: intervalNames[value] }))}
        />
      )}
    </>
  )
}

/** A date field. While it is typed, the date may be out of range: a year begins as 0002. */
function DayInput({
  label,
  value,
  min = FIRST_DAY,
  max,
  onValue,
}: {
  readonly label: string
  readonly value: string
  readonly min?: string
  readonly max?: string
  readonly onValue: (value: string) => void
}) {
  const [draft, setDraft] = useState<string | null>(null)
  return (
    <input
      type="date"
      aria-label={label}
      className="input w-38"
      // A value set from outside would end typing.
      value={draft ?? value}
      {...{ min, max }}
      onChange={({ target }) => {
        setDraft(target.value)
        if (target.value !== '' && target.validity.valid) onValue(target.value)
      }}
      onBlur={() => setDraft(null)}
    />
  )
}
