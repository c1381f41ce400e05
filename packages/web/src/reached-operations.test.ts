import { operations } from '@waymark/contract'
import type { OperationName } from '@waymark/sdk'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'
import { operationsElsewhere, operationsOfScreens } from './reached-operations.ts'

const MOST_ELSEWHERE = 15

const root = import.meta.dirname
const sources = new Map(
  globSync('**/*.{ts,tsx}', { cwd: root })
    .filter((file) => !file.includes('.test.'))
    .map((file) => [file.replaceAll('\\', '/'), readFileSync(join(root, file), 'utf8')]),
)

const IMPORT = /(?:from\s+|import\(\s*)'(\.[^']+)'/g
const importsOf = (file: string): string[] =>
  [...(sources.get(file) ?? '').matchAll(IMPORT)].map(([, path = '']) =>
    normalize(join(dirname(file), path)).replaceAll('\\', '/'),
  )

/** All files that a screen consists of. */
function filesOf(screen: string): Set<string> {
  const found = new Set<string>()
  const waiting = [screen]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file)) continue
    found.add(file)
    waiting.push(...importsOf(file))
  }
  return found
}

/** Calls by another name: by a function of the SDK, or by an address in a response. */
const byAnotherName: Partial<Record<OperationName, string>> = {
  importLinks: String.raw`previewFile\(`,
  downloadInvoice: String.raw`invoice\.pdf_url`,
}

const callersOf = (name: OperationName): string[] => {
  const patterns = [
    String.raw`\b(?:api|calls)\.${name}\b`,
    String.raw`(?:listQuery|find)\('${name}'`,
    byAnotherName[name] ?? [],
  ].flat()
  const call = new RegExp(patterns.join('|'))
  return [...sources].filter(([, text]) => call.test(text)).map(([file]) => file)
}

describe('every operation', () => {
  const screens = Object.entries(operationsOfScreens)
  const elsewhere = Object.keys(operationsElsewhere) as OperationName[]

  it('has one screen, or a reason', () => {
    const listed = [...screens.flatMap(([, names]) => names), ...elsewhere]
    expect(listed.toSorted()).toEqual(Object.keys(operations).toSorted())
    expect(elsewhere.length).toBeLessThanOrEqual(MOST_ELSEWHERE)
  })

  it.each(screens)('can be used on %s', (screen, names) => {
    const frame = ['router.tsx', 'shell/shell.tsx'].map((file) => sources.get(file)).join('\n')
    expect(screen === 'shell/shell.tsx' || frame.includes(`./${screen}`)).toBe(true)
    const files = filesOf(screen)
    expect(names.filter((name) => !callersOf(name).some((file) => files.has(file)))).toEqual([])
  })

  it.each(elsewhere)('%s is really used by no screen', (name) => {
    expect(callersOf(name)).toEqual([])
  })
})
