import { expect, it } from 'vitest'
import { schemas } from './index.ts'

it.each([null, 1, 'a', [], [null], { tag: 1, tags: 2 }, { tag: [], tags: null }])(
  'a link that is %j is rejected, and no fault of the server',
  (link) => {
    expect(schemas.generateLinks.body.safeParse({ links: [link] }).success).toBe(false)
    expect(schemas.generateLink.body.safeParse(link).success).toBe(false)
    expect(schemas.editLinks.body.safeParse(link).success).toBe(false)
  },
)
