import type { Link } from '@waymark/sdk'
import { expect, test } from 'vitest'
import { createBody, editBody, valuesOf } from './link-form.ts'

/** The fields of a link that the form reads. */
const link = {
  uuid: 'u1',
  link: 'https://example.com/',
  description: 'Spring',
  title: null,
  tag: 'mail',
  tags: ['mail', 'spring'],
  starts_at: null,
  archived: false,
  forward_query: false,
  expire: '2020-01-01T23:59:59.999Z',
  customLink: null,
  code: 'abc1234',
  domain: 'localhost',
  short_url: 'http://localhost/abc1234',
  redirect: 302,
  has_password: true,
  max_clicks: null,
  ios_url: null,
  android_url: null,
  clicks: 3,
  last_click_at: null,
  owner: null,
  created_at: '2020-01-01T00:00:00.000Z',
  updated_at: '2020-01-01T00:00:00.000Z',
} as Link

test('a new link sends its address and no untouched fields', () =>
  expect(createBody({ ...valuesOf(null), link: 'example.com' })).toEqual({ link: 'https://example.com' }))

test('an untouched link sends only required fields', () =>
  expect(editBody(link, valuesOf(link))).toEqual({ uuid: 'u1', link: 'https://example.com/' }))

test('changed fields are sent, cleared ones as null', () =>
  expect(
    editBody(link, {
      ...valuesOf(link),
      description: ' ',
      tags: ['mail'],
      max_clicks: '5',
      redirect: '301',
      forward_query: true,
    }),
  ).toEqual({
    uuid: 'u1',
    link: 'https://example.com/',
    description: null,
    tags: ['mail'],
    max_clicks: 5,
    redirect: 301,
    forward_query: true,
  }))

test('a date means a whole day in the time zone of the user, a time is exact', () => {
  const values = {
    ...valuesOf(null),
    link: 'https://a.b',
    starts_at: '2030-01-01',
    expire: '2030-01-02T09:30',
  }
  expect(createBody(values)).toMatchObject({
    starts_at: new Date(2030, 0, 1).toISOString(),
    expire: new Date(2030, 0, 2, 9, 30).toISOString(),
  })
})

test('text in a number field is sent to the server, which rejects it', () =>
  expect(createBody({ ...valuesOf(null), link: 'https://a.b', max_clicks: 'many' }).max_clicks).toBe('many'))

test('a changed card is sent, and keeps its picture', () => {
  const values = valuesOf(link)
  const card = { title: 'Spring', description: '' }
  expect(editBody(link, { ...values, card }).preview).toEqual({ title: 'Spring', description: null })
  expect(editBody(link, values)).not.toHaveProperty('preview')
  const pictured = { ...link, preview: { title: null, description: null, image: 'https://a.b/m/1.jpg' } }
  expect(editBody(pictured, { ...valuesOf(pictured), cardImage: null }).preview).toEqual({
    title: null,
    description: null,
    image: null,
  })
})

test('a password is kept, replaced or removed', () => {
  const values = valuesOf(link)
  expect(editBody(link, values)).not.toHaveProperty('password')
  expect(editBody(link, { ...values, password: 'x' }).password).toBe('x')
  expect(editBody(link, { ...values, removesPassword: true }).password).toBeNull()
})
