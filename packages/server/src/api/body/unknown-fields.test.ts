import { jsonSchemaOf, schemas } from '@waymark/contract/schemas'
import { describe, expect, it } from 'vitest'
import { unknownFields } from './unknown-fields.ts'

const link = jsonSchemaOf(schemas.generateLink.body, 'input')
const page = jsonSchemaOf(schemas.generatePage.body, 'input')

describe('unknown fields', () => {
  it('are named, nested ones with dots', () => {
    expect(unknownFields(link, { link: 'x', customlink: 'a', ['__proto__x']: 1 })).toEqual([
      'customlink',
      '__proto__x',
    ])
    const buttons = [{ label: 'A' }, { label: 'B', colour: 'red' }]
    expect(unknownFields(page, { title: 'A', buttons, theme: [{ bg: '#fff', glow: 1 }] })).toEqual([
      'buttons.1.colour',
      'theme.0.glow',
    ])
  })

  it('are none in what every description of a page takes', () => {
    expect(unknownFields(page, { subtext: 'a', subtitle: 'a', topShape: { clip: 'none' } })).toEqual([])
  })

  it('are found in lists as long as the schema allows', () => {
    const links = jsonSchemaOf(schemas.generateLinks.body, 'input')
    const many = (length: number) => ({ links: Array.from({ length }, () => ({ link: 'x', colour: 'red' })) })
    expect(unknownFields(links, many(1000))).toHaveLength(1000)
    expect(unknownFields(links, many(1000)).at(-1)).toBe('links.999.colour')
    const last = many(1000).links.map(({ link }) => ({ link }))
    expect(
      unknownFields(links, { links: [...last.slice(1), { link: 'x', rules: [{ if: { moon: 1 } }] }] }),
    ).toEqual(['links.999.rules.0.if.moon'])
  })

  it('are found in time that grows with the body', () => {
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`f${at}`, at]))
    expect(unknownFields(link, many)).toHaveLength(1000)
  })
})
