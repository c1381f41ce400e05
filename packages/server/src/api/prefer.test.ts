import { expect, it } from 'vitest'
import { isStrict } from './prefer.ts'

it('finds handling=strict among other preferences', () => {
  for (const header of [
    'handling=strict',
    'Handling = "strict"',
    'respond-async, handling=strict; wait=1',
    ['wait=1', 'handling=strict'],
  ])
    expect(isStrict(header), String(header)).toBe(true)
  for (const header of [
    undefined,
    '',
    'handling=lenient',
    'strict',
    'handling=stricter',
    'x; handling=strict',
  ])
    expect(isStrict(header), String(header)).toBe(false)
})
