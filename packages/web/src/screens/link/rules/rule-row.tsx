import { ArrowRight, X } from 'lucide-react'
import type { ComponentProps } from 'react'
import type { FieldFaults } from '../../../forms/invalid-input.ts'
import { IconButton } from '../../../ui/button.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { TextField } from '../../../ui/field.tsx'
import { bare } from '../../../ui/plate.tsx'
import { RowFrame } from '../../pages/row-frame.tsx'
import { ConditionField } from './condition-field.tsx'
import type { ConditionKind, ConditionValue, RuleValue } from './rule-values.ts'
import { conditionLabels } from './rule-words.ts'

const kinds = Object.keys(conditionLabels) as ConditionKind[]

interface RuleRowProps {
  readonly rule: RuleValue
  readonly index: number
  readonly handle: ComponentProps<'button'>
  readonly isDragged: boolean
  /** Its conditions as a sentence. */
  readonly sentence: string
  /** Whether it matches the simulated visitor. */
  readonly isMatch: boolean
  readonly faults: FieldFaults
  readonly onChange: (rule: RuleValue) => void
  readonly onRemove: () => void
}

/** The errors of a condition, including those of single alternatives. */
const faultsOf = (faults: FieldFaults, path: string): readonly string[] =>
  Object.entries(faults).flatMap(([name, texts]) =>
    name === path || name.startsWith(`${path}.`) ? texts : [],
  )

/** One rule: its conditions, all of which must be true, and its destination. */
export function RuleRow({
  rule,
  index,
  handle,
  isDragged,
  sentence,
  isMatch,
  faults,
  onChange,
  onRemove,
}: RuleRowProps) {
  const path = `rules.${index}`
  const unused = kinds.filter((kind) => !rule.conditions.some((condition) => condition.kind === kind))
  const setConditions = (conditions: readonly ConditionValue[]): void => onChange({ ...rule, conditions })
  return (
    <RowFrame handle={handle} isDragged={isDragged} name={`rule ${index + 1}`} onRemove={onRemove}>
      <h3 className="mb-3 flex min-h-10 flex-wrap items-center gap-x-2 text-sm wrap-anywhere">
        <span>
          {sentence} <span className="font-normal text-muted">→ {rule.to === '' ? '…' : bare(rule.to)}</span>
        </span>
        {isMatch && <Badge look="good">Matches</Badge>}
      </h3>
      {(faults[`${path}.if`] ?? []).map((fault) => (
        <p key={fault} className="mb-2 text-sm font-medium text-danger">
          {fault}
        </p>
      ))}
      <div className="space-y-4">
        {rule.conditions.map((condition) => (
          <div key={condition.kind} className="flex items-start gap-1">
            <div className="min-w-0 flex-1">
              <ConditionField
                condition={condition}
                faults={faultsOf(faults, `${path}.if.${condition.kind}`)}
                onChange={(values) =>
                  setConditions(
                    rule.conditions.map((one) => (one.kind === condition.kind ? { ...one, values } : one)),
                  )
                }
              />
            </div>
            <IconButton
              label={`Remove condition ${conditionLabels[condition.kind].toLowerCase()}`}
              icon={X}
              className="mt-6"
              onClick={() => setConditions(rule.conditions.filter(({ kind }) => kind !== condition.kind))}
            />
          </div>
        ))}
        {rule.conditions.length === 0 && (
          <p className="text-sm text-muted">Without conditions the rule matches every visitor.</p>
        )}
        {unused.length > 0 && (
          <select
            aria-label={`Add condition to rule ${index + 1}`}
            className="input w-auto"
            value=""
            onChange={({ target }) =>
              setConditions([...rule.conditions, { kind: target.value as ConditionKind, values: [] }])
            }
          >
            <option value="">Add condition…</option>
            {unused.map((kind) => (
              <option key={kind} value={kind}>
                {conditionLabels[kind]}
              </option>
            ))}
          </select>
        )}
        <div className="flex items-start gap-2 border-t border-line pt-4">
          <ArrowRight aria-hidden size={17} className="mt-9 shrink-0 text-brand" />
          <TextField
            label={`Destination of rule ${index + 1}`}
            type="url"
            placeholder="https://example.com/de"
            className="flex-1"
            value={rule.to}
            onValue={(to) => onChange({ ...rule, to })}
            faults={faults[`${path}.to`]}
          />
        </div>
      </div>
    </RowFrame>
  )
}
