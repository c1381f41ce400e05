import type { Input, Link } from '@waymark/sdk'
import { namedBy } from '../../../forms/field-names.ts'
import { withScheme } from '../../../ui/addresses.ts'
import { isoOf, localTextOf } from '../../../ui/local-times.ts'
import { conditionLabels } from './rule-words.ts'

export type Rule = Link['rules'][number]
export type ConditionKind = keyof Rule['if']

/** The maximum number of rules of a link. */
export const MOST_RULES = 20

/** The meaning of a date without a time in a condition. */
export const timeEdges = { after: 'start', before: 'end' } as const

export const isTime = (kind: ConditionKind): kind is keyof typeof timeEdges => kind in timeEdges

/** A condition in the form: alternatives, or the text of a time. */
export interface ConditionValue {
  readonly kind: ConditionKind
  readonly values: readonly string[]
  /** The stored time, which can be more precise than the fields. */
  readonly exact?: string | undefined
}

export interface RuleValue {
  readonly key: string
  readonly id: number
  readonly to: string
  readonly conditions: readonly ConditionValue[]
}

export interface RulesValues {
  rules: readonly RuleValue[]
}

export const nameOfRuleField = namedBy({ rules: 'Rules', to: 'Destination', conditions: 'Conditions' })

const readCondition = (kind: ConditionKind, given: string | readonly string[]): ConditionValue =>
  typeof given === 'string'
    ? { kind, values: [isTime(kind) ? localTextOf(given, timeEdges[kind]) : given], exact: given }
    : { kind, values: given }

const readRule = (rule: Rule, index: number): RuleValue => ({
  key: `id-${index}`,
  id: index,
  to: rule.to,
  conditions: (Object.keys(conditionLabels) as ConditionKind[]).flatMap((kind) => {
    const given = rule.if[kind]
    return given === undefined ? [] : [readCondition(kind, given)]
  }),
})

export const ruleValuesOf = (link: Link): RulesValues => ({ rules: link.rules.map(readRule) })

export const newRule = (rules: readonly RuleValue[]): RuleValue => {
  const id = Math.max(-1, ...rules.map((rule) => rule.id)) + 1
  return { key: `id-${id}`, id, to: '', conditions: [{ kind: 'country', values: [] }] }
}

const sendCondition = ({ kind, values, exact }: ConditionValue): unknown => {
  if (!isTime(kind)) return values
  const [text = ''] = values
  const isUntouched = exact !== undefined && text === localTextOf(exact, timeEdges[kind])
  return isUntouched ? exact : (isoOf(text, timeEdges[kind]) ?? '')
}

type SentRules = NonNullable<Input<'editLinks'>['rules']>

/** The rules to send: the server validates them. */
export const sentRules = ({ rules }: RulesValues): SentRules =>
  rules.map(({ to, conditions }) => ({
    if: Object.fromEntries(
      conditions.map((condition) => [condition.kind, sendCondition(condition)]),
    ) as SentRules[number]['if'],
    to: withScheme(to),
  }))
