import { expect, test } from 'vitest'
import { snapshot } from './snapshot.ts'

const values = { title: 'A', logo: null, rows: [{ key: 'new-1', label: 'x' }] }

test('typed text makes a difference, at any depth', () => {
  expect(snapshot({ ...values, title: 'B' })).not.toBe(snapshot(values))
  expect(snapshot({ ...values, rows: [{ key: 'new-1', label: 'y' }] })).not.toBe(snapshot(values))
})

test('a loaded preview or the key of a row makes none', () => {
  expect(snapshot({ ...values, logo: 'data:image/png;base64,AA' })).toBe(snapshot(values))
  expect(snapshot({ ...values, rows: [{ key: 'id-7', label: 'x' }] })).toBe(snapshot(values))
})

test('another file makes a difference', () =>
  expect(snapshot({ file: new File(['a'], 'a.png') })).not.toBe(
    snapshot({ file: new File(['ab'], 'b.png') }),
  ))
