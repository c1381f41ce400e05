import { describe, expect, test } from 'vitest'
import { conflictsOf, merge } from './merge.ts'

const base = {
  title: 'A',
  tag: 'x',
  rows: [
    { key: 'id-1', id: 1, label: 'one', url: '1' },
    { key: 'id-2', id: 2, label: 'two', url: '2' },
  ],
}
const mine = (conflict: { mine: unknown }): unknown => conflict.mine
const never = (): never => {
  throw new Error('asked')
}

describe('two versions of a form', () => {
  test('are merged without a question if different fields changed', () =>
    expect(
      merge({ base, mine: { ...base, title: 'B' }, theirs: { ...base, tag: 'y' } }, never),
    ).toStrictEqual({ ...base, title: 'B', tag: 'y' }))

  test('are merged within a row of a list', () => {
    const [one, two] = base.rows
    const rows = [{ ...one, label: 'uno' }, two]
    const others = [{ ...one, url: '11' }, two]
    expect(merge({ base, mine: { ...base, rows }, theirs: { ...base, rows: others } }, never)).toStrictEqual({
      ...base,
      rows: [{ key: 'id-1', id: 1, label: 'uno', url: '11' }, two],
    })
  })

  test('keep a row that one side added and a label that the other changed', () => {
    const [one, two] = base.rows
    const added = { key: 'new-1', id: 3, label: 'three', url: '3' }
    const versions = {
      base,
      mine: { ...base, rows: [...base.rows, added] },
      theirs: { ...base, rows: [one, { ...two, label: 'zwei' }] },
    }
    expect(merge(versions as never, never)).toStrictEqual({
      ...base,
      rows: [one, { ...two, label: 'zwei' }, added],
    })
  })

  test('conflict if both changed the same field, or the rows of the same list', () => {
    const changed = { base, mine: { ...base, title: 'B', tag: 'z' }, theirs: { ...base, title: 'C' } }
    expect(conflictsOf(changed)).toStrictEqual([{ path: 'title', mine: 'B', theirs: 'C' }])
    expect(merge(changed, mine)).toStrictEqual({ ...base, title: 'B', tag: 'z' })
    expect(merge(changed, ({ theirs }) => theirs)).toStrictEqual({ ...base, title: 'C', tag: 'z' })

    const moved = {
      base,
      mine: { ...base, rows: base.rows.toReversed() },
      theirs: { ...base, rows: base.rows.slice(1) },
    }
    expect(conflictsOf(moved).map(({ path }) => path)).toStrictEqual(['rows'])
  })

  test('conflict in a list whose rows have no ids', () => {
    const icons = [{ key: 'a', name: 'x' }]
    const versions = { base: { icons }, mine: { icons: [{ key: 'a', name: 'y' }] }, theirs: { icons: [] } }
    expect(conflictsOf(versions).map(({ path }) => path)).toStrictEqual(['icons'])
  })

  test('do not conflict if both made the same change', () =>
    expect(conflictsOf({ base, mine: { ...base, title: 'B' }, theirs: { ...base, title: 'B' } })).toEqual([]))

  test('a saved file is replaced by its URL, and a title typed meanwhile stays', () => {
    const file = new File(['a'], 'a.png')
    interface Image {
      readonly key: string
      readonly id: number | undefined
      readonly file?: File
      readonly src: string
      readonly title: string
    }
    const sent: { images: Image[] } = {
      images: [{ key: 'new-1', id: undefined, file, src: 'blob:1', title: '' }],
    }
    const typed = { images: [{ key: 'new-1', id: undefined, file, src: 'blob:1', title: 'Sun' }] }
    const saved = { images: [{ key: 'new-1', id: 7, src: '/m/1.webp', title: '' }] }
    expect(merge({ base: sent, mine: typed, theirs: saved }, never)).toStrictEqual({
      images: [{ key: 'new-1', id: 7, src: '/m/1.webp', title: 'Sun', file: undefined }],
    })
  })
})
