import { describe, expect, it } from 'vitest'
import { isUnchanged } from './sent-back.ts'

const NOON = '2026-01-01T12:00:00.000Z'
const ONE = '2026-01-01T13:00:00.000Z'

describe('a field that is sent back', () => {
  it('is unchanged when it is the same, at any depth', () => {
    const page = { short_link: { code: 'a', clicks: 3 }, warnings: ['x'], dynamic: true }
    expect(isUnchanged('page', structuredClone(page), page)).toBe(true)
    expect(isUnchanged('page', { short_link: { code: 'b', clicks: 3 } }, page)).toBe(false)
    expect(isUnchanged('page', { other: 1 }, page)).toBe(false)
    expect(isUnchanged('warnings', ['x', 'y'], ['x'])).toBe(false)
    expect(isUnchanged('owner', null, { type: 'page' })).toBe(false)
  })

  it('may be a text of the same value, as in forms', () => {
    expect(isUnchanged('size', '300', 300)).toBe(true)
    expect(isUnchanged('dynamic', 'false', false)).toBe(true)
    expect(isUnchanged('size', '301', 300)).toBe(false)
  })

  it('may be an earlier value of a counter or a time that moves on by itself', () => {
    expect(isUnchanged('clicks', 2, 5)).toBe(true)
    expect(isUnchanged('clicks', 6, 5)).toBe(false)
    expect(isUnchanged('clicks', -1, 5)).toBe(false)
    expect(isUnchanged('updated_at', NOON, ONE)).toBe(true)
    expect(isUnchanged('updated_at', ONE, NOON)).toBe(false)
    expect(isUnchanged('last_click_at', null, NOON)).toBe(true)
    expect(isUnchanged('created_at', NOON, ONE)).toBe(false)
    expect(isUnchanged('size', 2, 5)).toBe(false)
  })
})
