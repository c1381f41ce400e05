import { expect, it } from 'vitest'
import { forEachDatabase } from '../../storage/db/testing.ts'
import { testServices } from '../testing.ts'
import { createDomainStore } from './domains.store.ts'

forEachDatabase((_engine, _open, databases) => {
  const services = testServices(databases)
  const removedOf = (domain: string, shortCode: string) =>
    new Promise<boolean | undefined>((resolve, reject) => {
      services().modules.lookup.find(domain, shortCode, (error, target) =>
        error === null ? resolve(target?.removed) : reject(error),
      )
    })

  it('a domain that moves to another account no longer serves links and pages of the previous one', async () => {
    const { core, modules } = services()
    const { db } = core
    const [before, after] = [await services().newUser(), await services().newUser()]
    const row = await modules.domains.service.addVerified(`moves-${before.slice(-12)}.example`, before)
    const domain = row.name
    const link = await modules.links.service.create(before, { link: 'https://example.com/', domain })
    const input = { title: 'A page', slug: 'moves', logoPosition: 'bottom-right', domain } as const
    const page = await modules.pages.service.create(
      before,
      await modules.pages.service.compose(before, { ...input, buttons: [], images: [] }),
    )
    const pageRemoved = async () =>
      (await modules.pages.store.findPublicBySlug({ domain, slug: page.slug }))?.removed_at !== null
    const move = (workspace_uuid: string | null) =>
      db.write(() => createDomainStore(db).move({ ...row, workspace_uuid }))
    expect([await removedOf(domain, link.code), await pageRemoved()]).toEqual([false, false])
    await move(after)
    expect([await removedOf(domain, link.code), await pageRemoved()]).toEqual([true, true])
    const own = await modules.links.service.create(after, { link: 'https://example.com/', domain })
    expect(await removedOf(domain, own.code)).toBe(false)
    // The code stays reserved, so that visitors of printed codes are not sent to the new account.
    await expect(
      modules.links.service.create(after, { link: 'https://example.com/', domain, customLink: link.code }),
    ).rejects.toMatchObject({ code: 'code_taken' })
    await move(before)
    expect([await removedOf(domain, link.code), await pageRemoved()]).toEqual([false, false])
    await move(null)
    expect([await removedOf(domain, link.code), await removedOf(domain, own.code)]).toEqual([false, false])
  })
})
