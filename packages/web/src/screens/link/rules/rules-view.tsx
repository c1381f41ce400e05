import type { Link } from '@waymark/sdk'
import { Plus, Split } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { FormFailure } from '../../../forms/form-failure.tsx'
import { Form } from '../../../forms/form.tsx'
import { useRowForm } from '../../../forms/use-row-form.ts'
import { useUnsavedGuard } from '../../../forms/use-unsaved-guard.ts'
import { toast } from '../../../shell/toasts.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { MayEdit } from '../../../ui/may.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { counted } from '../../../ui/numbers.ts'
import { bare } from '../../../ui/plate.tsx'
import { useReorder } from '../../../ui/reorder.ts'
import { Card, EmptyState } from '../../../ui/screen.tsx'
import { linkSaved } from '../link-saved.ts'
import { type Decided, TryView } from '../try/try-view.tsx'
import { RuleRow } from './rule-row.tsx'
import { conditionsInWords } from './rule-words.ts'
import {
  MOST_RULES,
  nameOfRuleField,
  newRule,
  type RuleValue,
  ruleValuesOf,
  sentRules,
} from './rule-values.ts'

/** The rules of a link, in the order in which they are checked. */
export function RulesView({ link }: { readonly link: Link }) {
  const [initial] = useState(() => ruleValuesOf(link))
  const form = useRowForm(link, {
    initial,
    valuesOf: ruleValuesOf,
    nameOf: nameOfRuleField,
    create: () => Promise.reject(new Error('Rules belong to a link')),
    edit: (row, values) =>
      api.editLinks({ uuid: row.uuid, link: row.link, rules: sentRules(values) }, { ifMatch: row }),
    onSaved: ({ data }) => {
      linkSaved(data)
      toast.news('Rules saved')
      return ruleValuesOf(data)
    },
  })
  useUnsavedGuard(form)
  const { rules } = form.values
  const setRules = (next: readonly RuleValue[]): void => form.set('rules', next)
  const { attach, dragged, announcement, handle } = useReorder(rules, setRules)
  const [decided, setDecided] = useState<Decided>(null)
  const isMatch = (one: Decided): boolean => !form.isChanged() && decided === one
  const add = (
    <Button
      does="editLinks"
      icon={Plus}
      disabled={rules.length >= MOST_RULES}
      onClick={() => setRules([...rules, newRule(rules)])}
    >
      Add rule
    </Button>
  )
  if (rules.length === 0 && link.rules.length === 0)
    return (
      <EmptyState
        picture={<Split aria-hidden size={48} strokeWidth={1.2} />}
        title="No rules yet"
        action={add}
      >
        Send visitors to another destination by country, language, device, time and more. The first rule that
        matches decides.
      </EmptyState>
    )
  const hasSystems = link.ios_url !== null || link.android_url !== null
  const sentences = sentRules(form.values).map((rule) =>
    rule.if === undefined || Object.values(rule.if).every((given) => given == null || given.length === 0)
      ? 'Every visitor'
      : `If ${lowerFirst(conditionsInWords(rule.if))}`,
  )
  return (
    <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1.4fr)_minmax(0,1fr)]">
      <Card
        title="Rules"
        lead="Rules are checked from top to bottom. The first one that matches sets the destination. Drag to reorder."
      >
        <Form form={form} className="space-y-4">
          <MayEdit does="editLinks" lead="You can look at the rules.">
            <div className="space-y-4">
              <FormFailure form={form} />
              {(form.faults['rules'] ?? []).length > 0 && (
                <Notice kind="danger">{form.faults['rules']?.join('. ')}</Notice>
              )}
              <p className="sr-only" aria-live="polite">
                {announcement}
              </p>
              <ul ref={attach} className="space-y-3">
                {rules.map((rule, index) => (
                  <RuleRow
                    key={rule.key}
                    rule={rule}
                    index={index}
                    handle={handle(index)}
                    isDragged={dragged === index}
                    sentence={sentences[index] ?? ''}
                    isMatch={isMatch(index)}
                    faults={form.faults}
                    onChange={(changed) =>
                      setRules(rules.map((one) => (one.key === rule.key ? changed : one)))
                    }
                    onRemove={() => setRules(rules.filter(({ key }) => key !== rule.key))}
                  />
                ))}
              </ul>
              {(['ios', 'android'] as const).map((system) => {
                const url = link[`${system}_url`]
                return (
                  url !== null && (
                    <LastRow
                      key={system}
                      who={`If ${lowerFirst(conditionsInWords({ os: [SYSTEM_NAMES[system]] }))}`}
                      to={bare(url)}
                      isMatch={isMatch(system)}
                    />
                  )
                )
              })}
              <LastRow
                who={rules.length === 0 && !hasSystems ? 'Everyone' : 'Everyone else'}
                to={link.variants.length > 0 ? counted(link.variants.length, 'variant') : bare(link.link)}
                isMatch={isMatch('else')}
              />
              <div className="flex flex-wrap items-center justify-between gap-3">
                {add}
                <span className="flex gap-2">
                  <Button does="editLinks" look="ghost" onClick={() => form.setValues(ruleValuesOf(link))}>
                    Discard changes
                  </Button>
                  <Button does="editLinks" look="primary" type="submit" isBusy={form.isBusy}>
                    Save rules
                  </Button>
                </span>
              </div>
            </div>
          </MayEdit>
        </Form>
      </Card>
      <TryView link={link} onDecided={setDecided} />
    </div>
  )
}

const SYSTEM_NAMES = { ios: 'iOS', android: 'Android' } as const

/** The destinations after the rules, which are edited elsewhere: those of operating systems, and that of all others. */
function LastRow({
  who,
  to,
  isMatch,
}: {
  readonly who: string
  readonly to: string
  readonly isMatch: boolean
}) {
  return (
    <p className="flex flex-wrap items-center gap-x-2 rounded-lg border border-dashed border-line-strong px-4 py-3 text-sm wrap-anywhere">
      <span className="font-semibold">{who}</span>
      <span className="text-muted">→ {to}</span>
      {isMatch && <Badge look="good">Matches</Badge>}
    </p>
  )
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)
