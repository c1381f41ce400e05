import { expect, test } from 'vitest'
import { grownAddress, remarksOf } from './remarks.ts'

const tags = { source: 'newsletter', medium: 'email', campaign: 'spring-sale', content: 'header', term: '' }
const host = 'go.example.com'

test('a tidy link has no remarks', () =>
  expect(remarksOf('https://a.b/', tags, {}, host)).toEqual({ fields: {}, whole: [] }))

test('a remark is shown at its field', () => {
  const { fields, whole } = remarksOf('https://a.b/', { ...tags, source: 'News Letter' }, {}, host)
  expect(Object.keys(fields)).toEqual(['source'])
  expect(fields['source']).toMatch(/capital letters.*\. source has spaces/)
  expect(whole).toEqual([])
})

test('a remark about two fields waits until both are filled in', () => {
  expect(
    remarksOf('https://a.b/', { ...tags, source: 'email', medium: 'newsletter' }, {}, host).whole,
  ).toHaveLength(1)
  expect(remarksOf('https://a.b/', { ...tags, medium: '' }, {}, host).whole).toEqual([])
})

test('a short link of this server is pointed out', () => {
  expect(remarksOf(`https://${host}/abc`, tags, {}, host).whole).toHaveLength(1)
  expect(remarksOf('https://other.example/abc', tags, {}, host).whole).toEqual([])
})

test('the address is updated while its parts are typed', () => {
  const none = { source: '', medium: '', campaign: '', content: '', term: '' }
  expect(grownAddress('https://a.b/?x=1', none)).toBe('https://a.b/?x=1')
  expect(grownAddress('https://a.b/?x=1', { ...none, source: ' mail ' })).toBe(
    'https://a.b/?x=1&utm_source=mail',
  )
  expect(grownAddress('', tags)).toBe('')
})
