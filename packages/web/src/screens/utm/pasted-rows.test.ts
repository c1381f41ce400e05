import { expect, test } from 'vitest'
import { bodyOfRow, pastedRows } from './pasted-rows.ts'

test('columns are detected by name, in any order', () => {
  const rows = pastedRows(
    'utm_campaign\tURL\tutm_source\tutm_medium\tutm_content\tNotes\nspring\ta.b/c\tmail\temail\ttop\tx\n',
  )
  expect(rows.map((row) => bodyOfRow(row, true))).toEqual([
    {
      url: 'https://a.b/c',
      source: 'mail',
      medium: 'email',
      campaign: 'spring',
      content: 'top',
      term: null,
      shorten: true,
    },
  ])
})

test('without names they have the order of the form', () => {
  expect(pastedRows('https://a.b;mail;email;spring;top')).toMatchObject([
    { line: 1, tags: { url: 'https://a.b', source: 'mail', content: 'top' }, problem: null },
  ])
})

test('a row reports missing values', () => {
  expect(pastedRows('url,source\nhttps://a.b,mail\n').map(({ line, problem }) => [line, problem])).toEqual([
    [2, 'Missing: medium, campaign, content'],
  ])
  expect(pastedRows('')).toEqual([])
  expect(pastedRows('url,source\n"https://a.b,mail').at(0)?.problem).not.toBeNull()
})
