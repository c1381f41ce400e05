import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { generatedFiles, root } from './generated-files.ts'

it.each([...generatedFiles()])('%s is up to date with `npm run generate`', (path, text) => {
  expect(readFileSync(join(root, path), 'utf8')).toBe(text)
})
