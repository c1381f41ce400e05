import { operations, type OperationName } from '@waymark/contract'
import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { resources } from '../resources.ts'
import { UsageError } from '../terminal/index.ts'
import { addFields, fieldsOf, inputOf } from './fields.ts'

/** The input of an operation for some options. */
const inputFor = (name: OperationName, ...words: string[]): Record<string, unknown> => {
  const fields = fieldsOf(name)
  const command = new Command('test').exitOverride().configureOutput({ outputError: () => {} })
  addFields(command, fields)
  command.parse(words, { from: 'user' })
  return inputOf(fields, command.opts())
}

describe('options derived from the contract', () => {
  it('have the types of their fields', () => {
    const words =
      '--link https://example.com --custom-link 42 --forward-query false --max-clicks 5 --redirect 307 --title 12'
    expect(inputFor('generateLink', ...words.split(' '), '--tags', 'a, b', '--archived')).toEqual({
      link: 'https://example.com',
      customLink: '42',
      tags: ['a', 'b'],
      archived: true,
      forward_query: false,
      max_clicks: 5,
      redirect: 307,
      title: '12',
    })
  })

  it('accept the exact name of a field, JSON, and null to clear a field', () => {
    expect(
      inputFor('editLinks', '--max_clicks', 'null', '--customLink', 'x', '--rules', '[{"if":{},"to":"y"}]'),
    ).toEqual({ max_clicks: null, customLink: 'x', rules: [{ if: {}, to: 'y' }] })
    // For a field that cannot be cleared, null is ordinary text.
    expect(inputFor('generateLink', '--link', 'null')).toEqual({ link: 'null' })
  })

  it('take one of some values, or several', () => {
    for (const by of ['country', 'country,device']) expect(inputFor('analytics', '--by', by)).toEqual({ by })
    expect(() => inputFor('analytics', '--by', 'country,planet')).toThrow(/^--by must be one of country, /)
  })

  it('merge the variants of an operation', () => {
    expect(inputFor('generateBarcode', '--value', '123', '--symbology', 'ean8')).toEqual({
      value: '123',
      symbology: 'ean8',
    })
    const required = (name: OperationName) =>
      fieldsOf(name)
        .filter(({ isRequired }) => isRequired)
        .map(({ name: field }) => field)
    expect(required('generateBarcode')).toEqual([])
    expect(required('generatePage')).toEqual(['title', 'logoPosition', 'slug'])
  })

  it.each([
    [['--max-clicks', 'many'], '--max-clicks must be a number'],
    [['--max-clicks', ''], '--max-clicks must be a number'],
    [['--redirect', '303'], '--redirect must be one of 301, 302, 307, 308'],
    [['--rules', '[{'], '--rules must be valid JSON'],
  ])('%j is wrong usage', (words, message) => {
    expect(() => inputFor('generateLink', ...words)).toThrow(new UsageError(message))
  })

  it('exist and are described for every operation', () => {
    for (const name of Object.keys(operations) as OperationName[]) {
      const fields = fieldsOf(name)
      addFields(new Command(), fields)
      for (const { name: field, description } of fields) expect([name, field, description]).not.toContain('')
    }
  })

  it('cover the argument, the columns and the defaults of each resource', () => {
    for (const { operations: own, argument, defaults = {} } of resources) {
      const names = fieldsOf(own.create).map(({ name }) => name)
      expect(names).toEqual(expect.arrayContaining([argument, ...Object.keys(defaults)]))
    }
  })
})
