import { describe, expect, it } from 'vitest'
import { formEntries, holdsFile, multipartBody } from './form.ts'

const pairs = (body: Record<string, unknown>): [string, string | Blob][] =>
  formEntries(body).map(({ name, value }) => [name, value])

describe('formEntries', () => {
  it('writes text, numbers, booleans, dates and null, and omits absent fields', () => {
    expect(pairs({ a: 'x', n: 1.5, t: true, d: new Date(0), nothing: null, absent: undefined })).toEqual([
      ['a', 'x'],
      ['n', '1.5'],
      ['t', 'true'],
      ['d', '1970-01-01T00:00:00.000Z'],
      ['nothing', ''],
    ])
  })

  it('begins every item of a list with a common key', () => {
    expect(
      pairs({
        buttons: [{ url: 'https://a.example', label: 'A' }, { label: 'B' }, { label: 'C', url: null, id: 3 }],
      }),
    ).toEqual([
      ['buttons[][label]', 'A'],
      ['buttons[][url]', 'https://a.example'],
      ['buttons[][label]', 'B'],
      ['buttons[][label]', 'C'],
      ['buttons[][url]', ''],
      ['buttons[][id]', '3'],
    ])
  })

  it('numbers the items if they have no common key', () => {
    expect(pairs({ theme: [{ bgColor: '#fff' }, { borderRadius: '12px' }, {}] })).toEqual([
      ['theme[0][bgColor]', '#fff'],
      ['theme[1][borderRadius]', '12px'],
      ['theme[2]', ''],
    ])
  })

  it('writes objects and lists in objects with bracket names', () => {
    const file = new File(['x'], 'x.png')
    expect(
      pairs({
        theme: { bggradient: ['#fff', '#000'], bg: '#eee' },
        topShape: { height: 10 },
        images: [file, { src: 'https://a.example/a.png', id: 1 }, { src: 'https://a.example/b.png' }],
        socialIcons: [],
      }),
    ).toEqual([
      ['theme[bggradient][]', '#fff'],
      ['theme[bggradient][]', '#000'],
      ['theme[bg]', '#eee'],
      ['topShape[height]', '10'],
      ['images[]', file],
      ['images[][src]', 'https://a.example/a.png'],
      ['images[][id]', '1'],
      ['images[][src]', 'https://a.example/b.png'],
      ['socialIcons', ''],
    ])
  })
})

it('holdsFile finds files at any depth', () => {
  expect(holdsFile({ a: [{ b: new Blob() }] })).toBe(true)
  expect(holdsFile({ a: [{ b: 'x' }], c: null, d: new Date() })).toBe(false)
})

it('a multipart body is parsed by an independent parser, byte for byte', async () => {
  const bytes = new Uint8Array([0, 13, 10, 45, 45, 255])
  const body = multipartBody(
    [
      { name: 'plain', value: 'line\nline\r\n–€' },
      { name: 'a"b', value: '' },
      { name: 'größe', value: '1' },
      { name: 'images[]', value: new File([bytes], 'ä "x".png', { type: 'image/png' }) },
      { name: 'raw', value: new Blob([bytes]) },
    ],
    'boundary',
  )
  const form = await new Response(body).formData()
  expect([...form.keys()]).toEqual(['plain', 'a"b', 'größe', 'images[]', 'raw'])
  expect(form.get('plain')).toBe('line\nline\r\n–€')
  const file = form.get('images[]') as File
  expect([file.name, file.type, [...(await file.bytes())]]).toEqual(['ä "x".png', 'image/png', [...bytes]])
  expect((form.get('raw') as File).type).toBe('application/octet-stream')
})
