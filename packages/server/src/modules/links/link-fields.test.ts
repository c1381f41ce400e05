import { describe, expect, test } from 'vitest'
import { linkFields } from './link-fields.ts'

describe('the columns of a CSV file', () => {
  test('an import knows every column of an export', () =>
    expect(linkFields.exportedNames.filter((name) => linkFields.nameOfHeader(name) === undefined)).toEqual(
      [],
    ))

  test('an export begins with what an import reads, and ends with the uuid', () => {
    expect(linkFields.exportedNames[0]).toBe('link')
    expect(linkFields.exportedNames.at(-1)).toBe('uuid')
    expect(linkFields.exportedNames).not.toContain('password')
  })

  test.each([
    ['link', 'link'],
    ['Long URL', 'link'],
    ['longUrl', 'link'],
    ['destination', 'link'],
    ['customlink', 'customLink'],
    ['short_code', 'customLink'],
    ['Tags', 'tags'],
    ['tag', 'tag'],
    ['short_url', null],
    ['uuid', null],
    ['', undefined],
    ['constructor', undefined],
    ['colour', undefined],
  ])('%s is %s', (header, field) => expect(linkFields.nameOfHeader(header)).toBe(field))
})
