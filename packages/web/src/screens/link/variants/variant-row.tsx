import { Trash2, Trophy } from 'lucide-react'
import type { FieldFaults } from '../../../forms/invalid-input.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { counted } from '../../../ui/numbers.ts'
import type { VariantValue } from './variant-values.ts'

interface VariantRowProps {
  readonly variant: VariantValue
  readonly index: number
  readonly faults: FieldFaults
  /** In the last 30 days; undefined for an unsaved variant. */
  readonly clicks: number | undefined
  readonly onChange: (variant: VariantValue) => void
  readonly onRemove: () => void
  readonly onWinner: (() => void) | undefined
}

const widthOf = (percent: string): string => `${Math.min(100, Math.max(0, Number(percent) || 0))}%`

export function VariantRow({
  variant,
  index,
  faults,
  clicks,
  onChange,
  onRemove,
  onWinner,
}: VariantRowProps) {
  const path = `variants.${index}`
  const of = `of variant ${index + 1}`
  return (
    <li className="overflow-hidden rounded-lg border border-line bg-surface">
      <div className="h-1 bg-sunken">
        <div
          className="h-full bg-brand"
          ref={(bar) => bar?.style.setProperty('width', widthOf(variant.percent))}
        />
      </div>
      <div className="grid gap-3 p-3 sm:grid-cols-[9rem_1fr_7rem] sm:p-4">
        <TextField
          label={`Name ${of}`}
          value={variant.name}
          onValue={(name) => onChange({ ...variant, name })}
          faults={faults[`${path}.name`]}
        />
        <TextField
          label={`Destination ${of}`}
          type="url"
          placeholder="https://example.com/b"
          value={variant.url}
          onValue={(url) => onChange({ ...variant, url })}
          faults={faults[`${path}.url`]}
        />
        <TextField
          label="Share in %"
          aria-label={`Share ${of} in percent`}
          inputMode="decimal"
          value={variant.percent}
          onValue={(percent) => onChange({ ...variant, percent })}
          faults={faults[`${path}.weight`]}
        />
        <div className="flex flex-wrap items-center gap-2 sm:col-span-3">
          <span className="mr-auto text-sm text-muted">
            {clicks === undefined ? 'Not saved yet' : `${counted(clicks, 'click')} in the last 30 days`}
          </span>
          {onWinner !== undefined && (
            <Button icon={Trophy} onClick={onWinner}>
              Declare winner
            </Button>
          )}
          <IconButton label={`Remove variant ${index + 1}`} icon={Trash2} onClick={onRemove} />
        </div>
      </div>
    </li>
  )
}
