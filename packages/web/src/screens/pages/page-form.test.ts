import { contrast } from '@waymark/page'
import { expect, test } from 'vitest'
import { canBeSaved, needsSecondSave, pageBody } from './page-body.ts'
import { nextId, pageValuesOf, slugOf } from './page-form.ts'
import { viewOf } from './page-view.ts'
import { presets } from './themes.ts'

test.each([
  ['Café Olé!', 'cafe-ole'],
  ['  Spring — Sale 2026  ', 'spring-sale-2026'],
  ['日本', ''],
])('the slug of %j is %j', (title, slug) => expect(slugOf(title)).toBe(slug))

test('a new page begins with one button, which is not sent while it is empty', () => {
  const body = pageBody({ ...pageValuesOf(null), title: 'Hello', slug: 'hello', domain: 'localhost' }, null)
  expect(body).toMatchObject({
    title: 'Hello',
    subtext: null,
    logoStatus: 1,
    images: [],
    buttons: null,
    theme: { bgColor: null, bggradient: [null, null] },
  })
  expect(body).not.toHaveProperty('logo')
})

test('an address without a scheme gets one', () => {
  const values = pageValuesOf(null)
  const [button] = values.buttons
  if (button === undefined) throw new Error('A new page has a button')
  expect(pageBody({ ...values, buttons: [{ ...button, url: 'example.com' }] }, null).buttons).toMatchObject([
    { url: 'https://example.com' },
  ])
})

test.each([
  ['tel:', null],
  ['tel:+44 1632', 'tel:+44 1632'],
  ['https://wa.me/+44 (1632) 960001', 'https://wa.me/441632960001'],
  ['mailto:me@example.com', 'mailto:me@example.com'],
])('a contact button with %s is sent as %s', (url, sent) => {
  const values = pageValuesOf(null)
  const buttons = values.buttons.map((button) => ({ ...button, url }))
  expect(pageBody({ ...values, buttons }, null).buttons).toMatchObject([{ url: sent }])
})

test('a page can be saved while it is edited if no required field is empty', () => {
  const empty = pageValuesOf(null)
  const named = { ...empty, title: 'Hello', slug: 'hello' }
  expect([canBeSaved(empty), canBeSaved(named)]).toEqual([false, false])
  const withLabel = (part: object) => ({
    ...named,
    buttons: named.buttons.map((button) => ({ ...button, label: 'Go', ...part })),
  })
  expect(canBeSaved(withLabel({}))).toBe(true)
  expect(canBeSaved(withLabel({ url: 'tel:' }))).toBe(false)
  expect(canBeSaved(withLabel({ label: '', type: 'divider' }))).toBe(true)
  expect(canBeSaved(withLabel({ type: 'image' }))).toBe(false)
  expect(canBeSaved(withLabel({ label: '', type: 'image', image: 'https://x.y/1.png' }))).toBe(true)
  expect(canBeSaved(withLabel({ type: 'video' }))).toBe(false)
  expect(canBeSaved(withLabel({ type: 'contact' }))).toBe(false)
  expect(canBeSaved(withLabel({ label: '', type: 'contact', contact: { last_name: 'B' } }))).toBe(true)
})

test('blocks and thumbnails created through the API are sent back unchanged', () => {
  const values = pageValuesOf(null)
  const [button] = values.buttons
  if (button === undefined) throw new Error('A new page has a button')
  const blocks = [
    { ...button, type: 'divider' as const },
    { ...button, id: 2, label: 'Go', image: 'https://x.y/m/1.webp' },
  ]
  expect(pageBody({ ...values, buttons: blocks }, null).buttons).toMatchObject([
    { id: 1, type: 'divider', image: null },
    { id: 2, type: 'link', image: 'https://x.y/m/1.webp' },
  ])
})

test('new pictures are sent as files, saved ones as entries, in order', () => {
  const file = new File(['x'], 'x.png')
  const values = {
    ...pageValuesOf(null),
    images: [
      { key: 'a', id: undefined, file, src: 'blob:a', title: '', isShown: true },
      { key: 'b', id: 7, src: 'https://x.y/m/1.webp', title: 'Two', isShown: false },
    ],
  }
  expect(pageBody(values, null).images).toEqual([
    file,
    { id: 7, src: 'https://x.y/m/1.webp', status: 0, title: 'Two' },
  ])
  expect(needsSecondSave(values)).toBe(false)
  expect(
    needsSecondSave({
      ...values,
      images: [{ key: 'a', id: undefined, file, src: 'blob:a', title: 'One', isShown: true }],
    }),
  ).toBe(true)
})

test('the preview has placeholders for empty fields', () =>
  expect(viewOf(pageValuesOf(null))).toMatchObject({ title: 'Page title', buttons: [{ label: 'Button' }] }))

test('new ids follow the highest', () => expect(nextId([{ id: 3 }, { id: undefined }, { id: 1 }])).toBe(4))

test.each(presets.map((preset) => [preset.name, preset.theme] as const))(
  '%s can be read',
  (_, { colors, gradient }) => {
    const grounds = [colors.bgColor, ...gradient].filter((color) => color !== null)
    for (const ground of grounds) {
      for (const ink of [colors.textColor, colors.subTextColor])
        if (ink !== null) expect(contrast(ink, ground)).toBeGreaterThanOrEqual(4.5)
    }
    if (colors.buttonBgColor !== null && colors.buttonTextColor !== null)
      expect(contrast(colors.buttonTextColor, colors.buttonBgColor)).toBeGreaterThanOrEqual(4.5)
  },
)
