import { BROWSERS, COUNTRIES, SYSTEMS } from '@waymark/contract/visitor-names'
import { classes } from '../../../ui/classes.ts'
import { MomentField } from '../../../ui/moment-field.tsx'
import { TagsField } from '../../../ui/tags-field.tsx'
import { LANGUAGES } from './languages.ts'
import { type ConditionValue, isTime, timeEdges } from './rule-values.ts'
import { conditionLabels, valueLabel } from './rule-words.ts'

const DEVICES = ['mobile', 'tablet', 'desktop'] as const

const suggestions: Partial<Record<ConditionValue['kind'], readonly string[]>> = {
  country: [...COUNTRIES],
  language: LANGUAGES,
  os: Object.values(SYSTEMS),
  browser: Object.values(BROWSERS),
}

const placeholders: Partial<Record<ConditionValue['kind'], string>> = {
  country: 'Germany',
  language: 'French, or a tag such as fr-CA',
  os: 'iOS',
  browser: 'Safari',
  referrer: 'news.example.com',
  query: 'ref or ref=mail',
}

/** The control for one condition. */
export function ConditionField({
  condition,
  onChange,
  faults,
}: {
  readonly condition: ConditionValue
  readonly onChange: (values: readonly string[]) => void
  readonly faults: readonly string[]
}) {
  const { kind, values } = condition
  const label = conditionLabels[kind]
  if (isTime(kind))
    return (
      <MomentField
        label={label}
        edge={timeEdges[kind]}
        timeLabel={`${label}, time`}
        value={values[0] ?? ''}
        onValue={(text) => onChange([text])}
        faults={faults}
      />
    )
  if (kind === 'device') return <DeviceField {...{ values, onChange, faults }} />
  return (
    <TagsField
      label={label}
      noun={label.toLowerCase()}
      placeholder={placeholders[kind] ?? ''}
      tags={values}
      onTags={onChange}
      suggestions={suggestions[kind] ?? []}
      labelOf={(value) => valueLabel(kind, value)}
      mayHaveCommas={kind === 'query'}
      faults={faults}
    />
  )
}

function DeviceField({
  values,
  onChange,
  faults,
}: {
  readonly values: readonly string[]
  readonly onChange: (values: readonly string[]) => void
  readonly faults: readonly string[]
}) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-sm font-semibold">{conditionLabels.device}</legend>
      <div className="flex flex-wrap gap-2">
        {DEVICES.map((device) => (
          <label
            key={device}
            className={classes(
              'flex min-h-9 items-center gap-2 rounded-md border px-3 text-sm font-semibold capitalize has-focus-visible:outline-2 has-focus-visible:outline-brand',
              values.includes(device) ? 'border-brand bg-brand-soft text-brand-strong' : 'border-line-strong',
            )}
          >
            <input
              type="checkbox"
              className="checkbox"
              checked={values.includes(device)}
              onChange={({ target }) =>
                onChange(DEVICES.filter((one) => (one === device ? target.checked : values.includes(one))))
              }
            />
            {device}
          </label>
        ))}
      </div>
      {faults.length > 0 && <p className="mt-1.5 text-sm font-medium text-danger">{faults.join('. ')}</p>}
    </fieldset>
  )
}
