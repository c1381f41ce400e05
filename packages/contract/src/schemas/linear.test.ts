import * as fc from 'fast-check'
import type { z } from 'zod'
import { describe, expect, it } from 'vitest'
import { type JsonSchema, jsonSchemaOf } from './json-schema.ts'
import { type OperationSchemas, schemas } from './index.ts'
import { validate } from './validate.ts'

/*
 * A validator that takes more than linear time allows one request to block a whole process. Every body and query is therefore
 * filled with one hostile text in every place, at a length and at four times that length. Linear work grows by 4, quadratic by
 * 16: the limit is in between, and is compared with the shortest of several runs, because garbage collection and compilation
 * can only make a run longer. A long text needs further runs only while it is above the limit; the short one has two from the
 * start, because its first run also compiles.
 */

const GROWTH_LIMIT = 8
/** Added to the shorter time, because shorter durations are below the resolution of the clock. */
const CLOCK_NOISE_MS = 0.05
const MANY_RUNS = 60

/** Values with the text in every string of a schema, one value per variant. */
const filled = (schema: JsonSchema, text: string): unknown[] => {
  const variants = (schema['anyOf'] ?? schema['oneOf'] ?? schema['allOf']) as JsonSchema[] | undefined
  if (variants !== undefined) return variants.flatMap((variant) => filled(variant, text))
  if (schema['type'] === 'array')
    return filled((schema['items'] ?? {}) as JsonSchema, text).map((item) => [item, item])
  if (schema['type'] !== 'object') return [text]
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>).map(
    ([name, property]) => [name, filled(property, text)] as const,
  )
  const most = Math.max(1, ...properties.map(([, values]) => values.length))
  return Array.from({ length: most }, (_, index) =>
    Object.fromEntries(properties.map(([name, values]) => [name, values[index % values.length]])),
  )
}

/** Processor time of this process: a busy machine slows work down, but does not increase its cost. */
const durationOf = (work: () => void): number => {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** The ratio of the durations for a text four times as long. */
const growthOf = (
  work: (text: string) => void,
  textOf: (length: number) => string,
  length: number,
): number => {
  const [short, long] = [textOf(length), textOf(4 * length)]
  let shortMs = durationOf(() => work(short))
  let longMs = Infinity
  const growth = (): number => longMs / (shortMs + CLOCK_NOISE_MS)
  for (let run = 0; run < MANY_RUNS && growth() > GROWTH_LIMIT; run++) {
    shortMs = Math.min(
      shortMs,
      durationOf(() => work(short)),
    )
    longMs = Math.min(
      longMs,
      durationOf(() => work(long)),
    )
    // Clearly too slow: further runs would keep the test running for minutes.
    if (run >= 3 && longMs > 5_000) break
  }
  return growth()
}

const validators = Object.entries(schemas as Record<string, OperationSchemas>).flatMap(
  ([name, { body, query }]) =>
    Object.entries({ body, query }).flatMap(([part, schema]) =>
      schema === undefined
        ? []
        : [{ name: `${name} ${part}`, schema: schema as z.ZodType, json: jsonSchemaOf(schema, 'input') }],
    ),
)

const worstGrowth = (textOf: (length: number) => string, length: number): Record<string, number> => {
  const worst: Record<string, number> = {}
  for (const { name, schema, json } of validators) {
    const growth = growthOf(
      (text) => {
        for (const value of filled(json, text)) validate(schema, value)
      },
      textOf,
      length,
    )
    if (growth > GROWTH_LIMIT) worst[name] = growth
  }
  return worst
}

const repeated =
  (prefix: string, pump: string, suffix: string) =>
  (length: number): string =>
    prefix + pump.repeat(Math.ceil((length - prefix.length - suffix.length) / pump.length)) + suffix

const LONGEST = 2048
/** Longer than any field may be: rejecting long text must take linear time as well. */
const OVERSIZED = 32_768

describe('every validator takes linear time', () => {
  it('is measured on every operation with input', () => {
    expect(validators.length).toBeGreaterThan(40)
  })

  it.each([
    ['a shadow of spaces', 'a', ' ', ')'],
    ['open parentheses', '', '(', ''],
    ['an unfinished polygon', 'polygon(0 0', ', 0 0', ''],
    ['an unfinished colour', '0 0 rgb(', '0 ', ''],
    ['words', '', 'a', '('],
    ['an email address without an end', 'a@', 'a.', '@'],
    ['a URL of dots', 'http://', 'a.', '\\'],
    ['queries', 'https://a.example/?', '&utm_source', '\0'],
  ])('%s', (_, prefix, pump, suffix) => {
    const textOf = repeated(prefix, pump, suffix)
    expect(worstGrowth(textOf, LONGEST / 4)).toEqual({})
    expect(worstGrowth(textOf, OVERSIZED / 4)).toEqual({})
  })

  it('for any repeated text', () => {
    const mark = fc.constantFrom(
      ' ',
      '\t',
      '(',
      ')',
      ',',
      '#',
      '0',
      '.',
      '-',
      '%',
      '/',
      '@',
      ':',
      '&',
      '=',
      '"',
      '\\',
      'a',
      'Z',
      '\u00a0',
      '\0',
    )
    const piece = fc.oneof(
      mark,
      fc.constantFrom('px', 'rgb(', 'rgba(0,0,0', 'polygon(', ' at ', 'inset ', '0 0', '100%', '#fff'),
      fc.constantFrom('http://', 'https://a.b/', '2024-01-01T', 'utm_', '..', '😀'),
    )
    const pieces = fc.array(piece, { maxLength: 3 }).map((all) => all.join(''))
    const pump = fc.array(piece, { minLength: 1, maxLength: 3 }).map((all) => all.join(''))
    fc.assert(
      fc.property(pieces, pump, pieces, (prefix, pumped, suffix) => {
        expect(worstGrowth(repeated(prefix, pumped, suffix), LONGEST / 4)).toEqual({})
      }),
      { numRuns: 20 },
    )
  })
})
