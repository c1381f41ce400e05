import { describe, expect, test } from 'vitest'
import { createAccount, type Visitor } from './browser.ts'
import { openDashboard } from './dashboard.ts'
import { furnish } from './furnish.ts'
import { forVisitors, inside, outside, screenOpener } from './screens.ts'

/* Every screen opens without errors. accessibility.slow.test.ts inspects the same screens, also on a phone. */

describe('with an account', () => {
  let visitor: Visitor
  let uuids = { qr: '', page: '' }
  let open: (path: string) => Promise<void>
  openDashboard(async (opened) => {
    ;({ visitor } = opened)
    await createAccount(visitor.page)
    await visitor.page.goto('/app/')
    ;({ uuids } = await furnish(visitor.page))
    open = await screenOpener(visitor.page)
    visitor.faults.splice(0)
  })

  const opens = async (path: string): Promise<void> => {
    await open(path)
    expect(visitor.faults.splice(0)).toEqual([])
  }

  test.each([...inside, ...forVisitors])('%s', opens)
  test('a saved QR code', () => opens(`/app/codes/qr/${uuids.qr}`))
  test('a saved page', () => opens(`/app/pages/${uuids.page}`))
})

describe('without an account', () => {
  let visitor: Visitor
  let open: (path: string) => Promise<void>
  openDashboard(async (opened) => {
    ;({ visitor } = opened)
    open = await screenOpener(visitor.page)
  })

  test.each(outside)('%s', async (path) => {
    await open(path)
    expect(visitor.faults.splice(0)).toEqual([])
  })
})
