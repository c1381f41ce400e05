import { browserName, type LinkRule, systemName } from '@waymark/contract/schemas'
import { plainAddress } from '../../clicks/attributes/addresses.ts'
import { languageOf, referrerHostOf, agentOf } from '../../clicks/attributes/headers.ts'
import { eachParameter, nameOf, valueOf } from './forwarding.ts'
import type { Visitor } from './visitor.ts'

/*
 * Rules are compiled when a target is cached. Each is one bit of a number, so a single map look-up shows which rules are
 * still possible for a visitor's country or browser; the lowest remaining bit is the first rule that matches. Expensive
 * look-ups come last, and only if a rule that is still possible depends on them.
 */

/** The destination of a rule, and its name in clicks: its index in the list, or `ios` or `android`. */
export interface RuleChoice {
  readonly url: string
  readonly name: string
}

export interface NamedRule extends RuleChoice {
  readonly if: Conditions
}

export interface RuleSet {
  choose(visitor: Visitor, nowMs: number): RuleChoice | undefined
  /** Request headers that the choice depends on. */
  readonly headers: readonly string[]
}

/** ISO country code of an address, or ''. */
export type CountryOf = (address: string) => string

type Conditions = LinkRule['if']

/** One or several conditions on the same part of a request. */
interface Stage {
  /** The rules that are still possible for a visitor. */
  readonly possible: (visitor: Visitor) => number
  /** The rules that neither this stage nor a later one can exclude. */
  safe: number
}

const IOS = /\b(iPhone|iPad|iPod)\b|^iOS$/
const ANDROID = /\bAndroid\b/
/** Separates name and value of a parameter; stored texts cannot contain it. */
const NUL = '\0'

class Masks {
  readonly #byValue = new Map<string, number>()
  /** The rules without a condition of this kind. */
  readonly free: number
  readonly isEmpty: boolean

  constructor(rules: readonly NamedRule[], valuesOf: (rule: NamedRule) => readonly string[] | undefined) {
    let free = 0
    for (const [at, rule] of rules.entries()) {
      const values = valuesOf(rule)
      if (values === undefined) free |= 1 << at
      else for (const value of values) this.#byValue.set(value, (this.#byValue.get(value) ?? 0) | (1 << at))
    }
    this.free = free
    this.isEmpty = this.#byValue.size === 0
  }

  /** The rules with this value. */
  naming(value: string): number {
    return this.#byValue.get(value) ?? 0
  }
}

/** Rules in order; null if there are none. */
export function compileRules(rules: readonly NamedRule[], countryOf: CountryOf): RuleSet | null {
  if (rules.length === 0) return null
  const choices: RuleChoice[] = rules.map(({ url, name }) => ({ url, name }))
  const windows = timeWindows(rules)
  const [stages, headers] = stagesOf(rules, countryOf)
  const all = 2 ** choices.length - 1
  return {
    headers,
    choose(visitor, nowMs) {
      let possible = all
      for (const { bit, fromMs, untilMs } of windows) if (nowMs < fromMs || nowMs >= untilMs) possible &= ~bit
      for (const { possible: evaluate, safe } of stages) {
        if (possible === 0) return undefined
        const first = possible & -possible
        if ((first & safe) !== 0) return choices[31 - Math.clz32(first)]
        possible &= evaluate(visitor)
      }
      return possible === 0 ? undefined : choices[31 - Math.clz32(possible & -possible)]
    },
  }
}

function timeWindows(rules: readonly NamedRule[]) {
  return rules.flatMap(({ if: { after, before } }, at) =>
    after === undefined && before === undefined
      ? []
      : [
          {
            bit: 1 << at,
            fromMs: after === undefined ? -Infinity : Date.parse(after),
            untilMs: before === undefined ? Infinity : Date.parse(before),
          },
        ],
  )
}

const lower = (values: readonly string[] | undefined) => values?.map((value) => value.toLowerCase())
const named = (values: readonly string[] | undefined, nameOfValue: typeof systemName) =>
  values?.map((value) => nameOfValue(value) ?? value)

function stagesOf(rules: readonly NamedRule[], countryOf: CountryOf): [Stage[], string[]] {
  const platform = new Masks(rules, ({ name }) => (name === 'ios' || name === 'android' ? [name] : undefined))
  const query = new Masks(rules, (rule) => rule.if.query?.map((text) => text.replace('=', NUL)))
  const language = new Masks(rules, (rule) => lower(rule.if.language))
  const referrer = new Masks(rules, (rule) => rule.if.referrer)
  const device = new Masks(rules, (rule) => rule.if.device)
  const system = new Masks(rules, (rule) => named(rule.if.os, systemName))
  const browser = new Masks(rules, (rule) => named(rule.if.browser, browserName))
  const country = new Masks(rules, (rule) => rule.if.country)
  const kinds: [masks: readonly Masks[], header: string | undefined, possible: Stage['possible']][] = [
    [[platform], 'user-agent', (visitor) => platform.free | onPlatform(platform, visitor)],
    [[query], undefined, (visitor) => query.free | inQuery(query, visitor.query)],
    [
      [language],
      'accept-language',
      ({ headers }) => language.free | byParts(language, languageOf(headers['accept-language'] ?? ''), '-'),
    ],
    [
      [referrer],
      'referer',
      ({ headers }) => referrer.free | byHost(referrer, referrerHostOf(headers.referer ?? '')),
    ],
    [
      [device, system, browser],
      'user-agent',
      ({ headers, agent }) => {
        const told = agentOf(headers['user-agent'] ?? '')
        return (
          (device.free | device.naming(agent?.device ?? told.device)) &
          (system.free | system.naming(agent?.system ?? told.system)) &
          (browser.free | browser.naming(agent?.browser ?? told.browser))
        )
      },
    ],
    [
      [country],
      undefined,
      (visitor) => country.free | country.naming(visitor.country ?? countryOf(plainAddress(visitor.address))),
    ],
  ]
  const used = kinds.filter(([masks]) => masks.some(({ isEmpty }) => !isEmpty))
  const stages = used.map(([masks, , possible]) => ({
    possible,
    safe: masks.reduce((free, mask) => free & mask.free, -1),
  }))
  for (let at = stages.length - 2; at >= 0; at--) stages[at]!.safe &= stages[at + 1]!.safe
  return [stages, [...new Set(used.flatMap(([, header]) => header ?? []))]]
}

function onPlatform(masks: Masks, { headers, agent }: Visitor): number {
  const text = agent?.system ?? headers['user-agent'] ?? ''
  if (IOS.test(text)) return masks.naming('ios')
  return ANDROID.test(text) ? masks.naming('android') : 0
}

function inQuery(masks: Masks, query: string): number {
  let possible = 0
  eachParameter(query, (piece, equals) => {
    const name = nameOf(piece, equals)
    if (name.includes(NUL)) return true
    possible |= masks.naming(name) | masks.naming(name + NUL + valueOf(piece, equals))
    return true
  })
  return possible
}

/** The rules with a language tag or its beginning: `fr-CA`, then `fr`. */
function byParts(masks: Masks, tag: string, separator: string): number {
  let possible = 0
  for (let part = tag; part !== ''; part = part.slice(0, Math.max(0, part.lastIndexOf(separator))))
    possible |= masks.naming(part)
  return possible
}

/** The rules with a host or a parent domain of it: `a.example.com`, then `example.com`, then `com`. */
function byHost(masks: Masks, host: string): number {
  let possible = 0
  for (let part = host; part !== ''; part = afterDot(part)) possible |= masks.naming(part)
  return possible
}

function afterDot(host: string): string {
  const dot = host.indexOf('.')
  return dot === -1 ? '' : host.slice(dot + 1)
}
