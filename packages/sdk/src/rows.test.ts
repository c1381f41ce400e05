import { describe, expect, it } from 'vitest'
import { editFacts } from './operation-facts.gen.ts'
import { editBody } from './rows.ts'

/** A resource as the server returns it, as far as the fields that only the server sets go. */
const readOnly = (name: keyof typeof editFacts): object =>
  Object.fromEntries(editFacts[name].readOnly.map((field) => [field, 'as it was']))

describe('a whole resource that is sent back', () => {
  it.each(Object.keys(editFacts) as (keyof typeof editFacts)[])(
    'by %s loses what only the server sets',
    (name) => {
      const changes = { uuid: 'x', description: 'new', nothing: null }
      expect(editBody(name, { ...readOnly(name), ...changes })).toEqual(changes)
    },
  )

  it('keeps its file unless another one is given', () => {
    const code = { ...readOnly('editQr'), uuid: 'x', logo: 'https://waymark.example/m/x.webp' }
    const logo = new Blob(['new'])
    expect(editBody('editQr', code)).toEqual({ uuid: 'x' })
    expect(editBody('editQr', { ...code, logo })).toEqual({ uuid: 'x', logo })
    expect(editBody('editQr', { ...code, logo: null })).toEqual({ uuid: 'x', logo: null })
  })
})

describe('a whole page that is sent back', () => {
  it('has a gradient, if only one without colours', () => {
    const page = { ...readOnly('editPage'), uuid: 'x', theme: { bgColor: '#ffffff', bggradient: null } }
    const theme = { bgColor: '#ffffff', bggradient: [null, null] }
    expect(editBody('editPage', page)).toEqual({ uuid: 'x', theme })
    const gradient = { bggradient: ['#000000', null] }
    expect(editBody('editPage', { ...page, theme: gradient })).toEqual({ uuid: 'x', theme: gradient })
  })
})

describe('any other body', () => {
  it('goes as it is, for the server to judge', () => {
    const odd = { uuid: 'x', clicks: 8 }
    expect(editBody('editLinks', odd)).toBe(odd)
    const created = { ...readOnly('editLinks'), link: 'https://a.example' }
    expect(editBody('generateLink', created)).toBe(created)
    expect(editBody('signOut', undefined)).toBeUndefined()
  })
})
