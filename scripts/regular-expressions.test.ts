import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Argument, type Expression, parseSync, Visitor } from 'oxc-parser'
import { checkSync } from 'recheck'
import { describe, expect, it } from 'vitest'

/*
 * An expression with nested or overlapping quantifiers can take quadratic or exponential time on a text that nearly matches,
 * and one request can then block a whole process. This analyses every expression of the product, not only those with
 * external input today, because the source of a text can change unnoticed.
 */

// Analyse in this process: recheck would use Java if it is installed, which takes a third more processor time.
process.env['RECHECK_BACKEND'] = 'pure'

const root = fileURLToPath(new URL('../', import.meta.url))

interface Found {
  readonly file: string
  readonly pattern: string
  readonly flags: string
}

const textOf = (node: Argument | Expression | undefined): string | undefined => {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  // Inserted values are our own constants; a letter represents them.
  if (node?.type === 'TemplateLiteral') return node.quasis.map((quasi) => quasi.value.cooked ?? '').join('x')
  return undefined
}

/** Every expression of a file; null for one that is computed in a way that cannot be read here. */
export const expressionsOf = (file: string, source: string): (Found | null)[] => {
  const found: (Found | null)[] = []
  const built = (callee: Expression, [first, second]: readonly Argument[]): void => {
    if (callee.type !== 'Identifier' || callee.name !== 'RegExp') return
    const pattern = textOf(first)
    found.push(pattern === undefined ? null : { file, pattern, flags: textOf(second) ?? '' })
  }
  new Visitor({
    Literal: (node) => {
      if ('regex' in node) found.push({ file, ...node.regex })
    },
    NewExpression: (node) => built(node.callee, node.arguments),
    CallExpression: (node) => built(node.callee, node.arguments),
  }).visit(parseSync(file, source).program)
  return found
}

const LOOKAROUND = /\(\?<?[=!]/

/**
 * High limits cost the analysis minutes, and an expression that is linear without a limit is linear with it. `\u{10800}` is
 * a character.
 */
const withoutHighLimits = (pattern: string): string =>
  LOOKAROUND.test(pattern)
    ? pattern
    : pattern.replaceAll(/(?<!\\u)\{(\d+)(?:,(\d+))?\}/g, (limits: string, least: string, most = least) => {
        if (Number(most) <= 16) return limits
        return Number(least) === 0 ? '*' : '+'
      })

/**
 * How the time of an expression grows with its input if it is more than linear; undefined if it is linear. Uses only the
 * automaton analysis, which always gives the same verdict. It does not support lookahead or lookbehind beside an unlimited
 * quantifier, and so rejects them: repeated with `g` they can be quadratic although each match is linear.
 */
export const superLinear = ({ pattern, flags }: Pick<Found, 'pattern' | 'flags'>): string | undefined => {
  const result = checkSync(withoutHighLimits(pattern), flags, { checker: 'automaton', timeout: 240_000 })
  if (result.status === 'safe') return undefined
  return result.status === 'vulnerable' ? result.complexity.summary : `unknown: ${result.error.kind}`
}

const sources = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: root }).filter(
  (file) => !/\.(?:test|testing)\.tsx?$/.test(file),
)
const all = sources.flatMap((file) => expressionsOf(file, readFileSync(join(root, file), 'utf8')))

describe('regular expressions of the product', () => {
  it('are all found', () => {
    expect(all.length).toBeGreaterThan(150)
    expect(all).not.toContain(null)
  })

  it('take linear time', { timeout: 600_000 }, () => {
    const checked = new Map<string, string | undefined>()
    const bad: string[] = []
    for (const one of all) {
      if (one === null) continue
      const name = `/${one.pattern}/${one.flags}`
      if (!checked.has(name)) checked.set(name, superLinear(one))
      const complexity = checked.get(name)
      if (complexity !== undefined) bad.push(`${one.file}: ${name}: ${complexity}`)
    }
    expect(bad).toEqual([])
  })
})

describe('the analysis', () => {
  it.each([
    ['^(a+)+$', 'exponential'],
    ['^(?:a|a)*$', 'exponential'],
    [String.raw`,(?![^(]*\))`, 'unknown: unsupported'],
    [String.raw`(?<=a{2,})b`, 'unknown: unsupported'],
    [String.raw`\s+$`, '2nd degree polynomial'],
    [String.raw`[^\s(]+(?:\([^)]*\))?$`, '2nd degree polynomial'],
  ])('rejects %s', (pattern, complexity) => {
    expect(superLinear({ pattern, flags: '' })).toBe(complexity)
  })

  it.each(['^[a-z]+$', '^(?!-)[a-z-]{1,63}(?<!-)$', '^[^,]*,[^,]*$'])('accepts %s', (pattern) => {
    expect(superLinear({ pattern, flags: '' })).toBeUndefined()
  })

  it('reads literals, calls and templates', () => {
    const source = "const a = /x+/g; const b = new RegExp(`^${a}+`, 'i'); const c = RegExp('y'); RegExp(a)"
    expect(expressionsOf('a.ts', source)).toEqual([
      { file: 'a.ts', pattern: 'x+', flags: 'g' },
      { file: 'a.ts', pattern: '^x+', flags: 'i' },
      { file: 'a.ts', pattern: 'y', flags: '' },
      null,
    ])
  })
})
