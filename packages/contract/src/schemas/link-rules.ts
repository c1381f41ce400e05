import { z } from 'zod'
import { described, named } from './described.ts'
import { httpUrl, instant, integerBetween, opaque, required, ruled, singleLine } from './fields.ts'
import { browserName, COUNTRIES, systemName } from './visitor-names.ts'

export const MOST_RULES = 20
export const MOST_ALTERNATIVES = 50
/** Limit for all rules of a link together, because each process caches them. */
const MOST_RULE_CHARACTERS = 65_536
const LEAST_VARIANTS = 2
const MOST_VARIANTS = 5
const MOST_WEIGHT = 1000
const DEVICES = ['mobile', 'tablet', 'desktop'] as const

const oneOf = <T extends z.ZodType>(item: T, most = MOST_ALTERNATIVES) => z.array(item).min(1).max(most)

const country = ruled()
  .transform((value) => value.toUpperCase())
  .refine((value) => COUNTRIES.has(value), 'Must be a country code of two letters (ISO 3166-1)')
  .meta({ pattern: '^[A-Za-z]{2}$' })

const language = z
  .string()
  .max(35, 'Must be at most 35 characters')
  .regex(/^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/, 'Must be a language tag such as fr or fr-CA')

const known = (nameOf: (given: string) => string | undefined, example: string) =>
  ruled()
    .max(64, 'Must be at most 64 characters')
    .refine((value) => nameOf(value) !== undefined, `Must be a name that statistics use, such as ${example}`)

/** A host name in ASCII and lower case; not an address with a path, port or scheme, nor a pattern. */
const host = ruled()
  .max(253, 'Must be at most 253 characters')
  .transform((value, context) => {
    const url = /^[^\s/?#@:\\[\]%*]+$/.test(value) ? URL.parse(`https://${value.replace(/\.$/, '')}`) : null
    if (url !== null && url.hostname !== '' && !url.hostname.endsWith('.')) return url.hostname
    const message = 'Must be a host name such as example.com; its subdomains match too'
    context.issues.push({ code: 'custom', message, input: value })
    return z.NEVER
  })

const parameter = opaque(255).refine(
  (value) => value !== '' && !value.startsWith('='),
  'Must be name or name=value',
)

const isoTime = instant(false).transform((at) => new Date(at).toISOString())

/** Single alternatives of conditions, also used to describe a visitor. */
export const conditionParts = {
  country,
  device: z.enum(DEVICES),
  os: known(systemName, 'iOS'),
  browser: known(browserName, 'Chrome'),
}

const conditionTexts = {
  country: 'Country of the visitor: ISO 3166-1 codes of two letters.',
  language: 'First preference of `Accept-Language`: a prefix, so `fr` matches `fr-CA`.',
  device: '`mobile`, `tablet` or `desktop`.',
  os: 'Operating system, named as in statistics, case-insensitive: `iOS`, `Android`, `Windows`, `macOS`.',
  browser:
    'Browser, named as in statistics, case-insensitive: `Chrome`, `Safari`, `Firefox`, `Microsoft Edge` or `edge`.',
  referrer: 'Host of the referring page, including subdomains.',
  query: 'A parameter of the short link: `name`, or `name=value`.',
  after: 'From this time on (ISO 8601, UTC unless it has an offset).',
  before: 'Until this time (ISO 8601, UTC unless it has an offset).',
}

const conditions = {
  country: oneOf(country, COUNTRIES.size).optional(),
  language: oneOf(language).optional(),
  device: oneOf(conditionParts.device).optional(),
  os: oneOf(conditionParts.os).optional(),
  browser: oneOf(conditionParts.browser).optional(),
  referrer: oneOf(host).optional(),
  query: oneOf(parameter).optional(),
  after: isoTime.optional(),
  before: isoTime.optional(),
}

const Conditions = named(
  'LinkConditions',
  'When a rule matches. All given conditions must be true; a list contains alternatives.',
  z
    .strictObject(described(conditionTexts, conditions), {
      error: (issue) =>
        issue.code === 'unrecognized_keys'
          ? `Unknown condition: ${issue.keys.map((key) => key.slice(0, 40)).join(', ')}`
          : undefined,
    })
    .refine(({ after, before }) => after === undefined || before === undefined || after < before, {
      path: ['before'],
      error: 'Must be later than after',
    }),
)

/** A rule: the destination of visitors who match its conditions. */
const Rule = named(
  'LinkRule',
  'Sends visitors who match the conditions to another destination.',
  z.object(
    described(
      {
        if: 'When the rule matches. Without conditions it always does.',
        to: 'The destination: an http or https URL.',
      },
      { if: Conditions, to: httpUrl },
    ),
  ),
)

/** The rules of a link, in order. */
export const rules = z
  .array(Rule)
  .max(MOST_RULES)
  .refine(
    (value) => JSON.stringify(value).length <= MOST_RULE_CHARACTERS,
    `Must be at most ${MOST_RULE_CHARACTERS} characters in all`,
  )

const variantTexts = {
  url: 'The destination: an http or https URL.',
  weight: 'Its share of the visitors relative to the other variants: 1 to 1000, default 1.',
  name: 'Name in statistics. Default: `A` for the first, `B` for the second, and so on.',
}

const Variant = named(
  'LinkVariantInput',
  'One of several destinations that share the visitors.',
  z.object(
    described(variantTexts, {
      url: httpUrl,
      weight: integerBetween(1, MOST_WEIGHT).nullish(),
      name: required(singleLine(64)).nullish(),
    }),
  ),
)

/** A variant as it is stored and returned. */
export const LinkVariant = named(
  'LinkVariant',
  'One of several destinations that share the visitors.',
  z.object(described(variantTexts, { url: z.string(), weight: z.int(), name: z.string() })),
)

/** A rule as it is stored and returned. */
export const LinkRule = named(
  'ReturnedLinkRule',
  'Sends visitors who match the conditions to another destination.',
  z.object(
    described(
      { if: 'When the rule matches.', to: 'The destination.' },
      {
        if: z.object(
          described(conditionTexts, {
            country: z.array(z.string()).optional(),
            language: z.array(z.string()).optional(),
            device: z.array(z.enum(DEVICES)).optional(),
            os: z.array(z.string()).optional(),
            browser: z.array(z.string()).optional(),
            referrer: z.array(z.string()).optional(),
            query: z.array(z.string()).optional(),
            after: z.string().meta({ format: 'date-time' }).optional(),
            before: z.string().meta({ format: 'date-time' }).optional(),
          }),
        ),
        to: z.string(),
      },
    ),
  ),
)

export type LinkRule = z.output<typeof LinkRule>
export type LinkVariant = z.output<typeof LinkVariant>

/** The variants of a link: none, or two to five. */
export const variants = z
  .array(Variant)
  .refine(
    ({ length }) => length === 0 || (length >= LEAST_VARIANTS && length <= MOST_VARIANTS),
    `Must have ${LEAST_VARIANTS} to ${MOST_VARIANTS} items`,
  )
  .transform((given) =>
    given.map(({ url, weight, name }, at): LinkVariant => ({
      url,
      weight: weight ?? 1,
      name: name ?? String.fromCharCode(65 + at),
    })),
  )
  .superRefine((given, context) => {
    const seen = new Set<string>()
    for (const [at, { name }] of given.entries()) {
      if (seen.has(name)) context.addIssue({ code: 'custom', path: [at, 'name'], message: 'Must be unique' })
      seen.add(name)
    }
  })
