import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../', import.meta.url))
const read = (file: string): string => readFileSync(`${root}${file}`, 'utf8')
const sources = globSync(['packages/*/src/**/*.{ts,tsx,css,json}', 'clients/*/src/**/*.py'], { cwd: root })
const isGenerated = (file: string): boolean => /\.gen\.\w+$|_gen\.py$/.test(file)

it('scripts/README.md lists every generated file, with a command that exists', () => {
  const rows = [...read('scripts/README.md').matchAll(/^\| `([^`]+)` \| `npm run (generate[\w:]*)/gm)]
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  expect(new Set(rows.map(([, file]) => file))).toEqual(new Set(sources.filter(isGenerated)))
  for (const [, , command = ''] of rows) expect(scripts).toHaveProperty([command])
})

it('a file that says that it is generated is named so', () => {
  const generated = sources.filter((file) =>
    /^(?:\/\/|#|\/?\*| \*) *(?:Generated|Written) (?:by|from) /m.test(read(file)),
  )
  expect(generated.length).toBeGreaterThan(5)
  expect(generated.filter((file) => !isGenerated(file))).toEqual([])
})
