import { expect, it } from 'vitest'
import { isReserved, isRouted } from './reserved-words.ts'
import { schemas } from './schemas/index.ts'
import { validate } from './schemas/validate.ts'

it.each(['app', 'v1', 'docs', 'p', 'I', 'robots.txt', '.well-known'])('%s is a route', (word) => {
  expect([isRouted(word), isReserved(word)]).toEqual([true, true])
})

it.each(['login', 'Admin', 'wp-admin', 'api', 'xmlrpc', 'sign-up', 'register'])(
  '%s cannot be chosen',
  (word) => {
    expect([isRouted(word), isReserved(word)]).toEqual([false, true])
  },
)

it.each(['sale', 'about', 'contact', 'team', 'x', 'constructor'])('%s is free', (word) => {
  expect(isReserved(word)).toBe(false)
})

it('rejects reserved words for new links and pages, but accepts them in edits', () => {
  const link = { link: 'https://example.com/', customLink: 'login' }
  expect(validate(schemas.generateLink.body, link)).toMatchObject({
    errors: { customLink: ['This word is reserved'] },
  })
  expect(validate(schemas.editLinks.body, { uuid: 'x', ...link })).toMatchObject({ ok: true })
  expect(validate(schemas.editLinks.body, { uuid: 'x', ...link, customLink: 'app' })).toMatchObject({
    errors: { customLink: ['This word is reserved'] },
  })
})
