import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (name: string): string => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')

test('the image starts Node with the flags of `npm start`', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: { start: string } }
  const flags = scripts.start.split(' ').filter((word) => word.startsWith('--'))
  expect(flags).not.toEqual([])
  expect(/^ENV NODE_OPTIONS="(.*)"$/m.exec(read('Dockerfile'))?.[1]?.split(' ')).toEqual(flags)
})
