import { describe, expect, it } from 'vitest'
import { drawable, setText } from './text-lines.ts'

describe('drawable text', () => {
  it.each([
    ['  Two\n words ', 'Two words'],
    ['Größe – Żółw', 'Größe – Żółw'],
    ['Party 🎉 now', 'Party now'],
    ['日本語', ''],
    ['mixed 日本', ''],
    ['', ''],
  ])('%j is %j', (text, drawn) => expect(drawable(text)).toBe(drawn))
})

describe('layout', () => {
  const room = { width: 300, sizes: [60, 40, 20], lines: 2 }

  it('uses the largest letters that fit', () => {
    expect(setText('Hi', room)).toMatchObject({ size: 60 })
    expect(setText('A title of some length', room)).toMatchObject({ size: 40 })
    expect(setText('', room).lines).toEqual([])
  })

  it('keeps every line within its width, even with long words', () => {
    const { lines, size } = setText('W'.repeat(200), room)
    expect([lines.length, size]).toEqual([2, 20])
    for (const { width } of lines) expect(width).toBeLessThanOrEqual(300)
  })

  it('returns only numbers and commands', () => {
    for (const { path } of setText('"><script>&', room).lines) expect(path).toMatch(/^[MmhvlqzZ0-9 -]*$/)
  })
})
