import { expect, it } from 'vitest'
import { testServices } from '../../modules/testing.ts'
import { forEachDatabase } from '../../storage/db/testing.ts'
import { BrandKitService, NO_BRAND_KIT } from './brand-kit.service.ts'

const MISSING = '00000000-0000-7000-8000-000000000001'

forEachDatabase((_engine, _open, databases) => {
  const services = testServices(databases)
  const setUp = async () => {
    const { core, modules, newUser } = services()
    const { db, blobs, now } = core
    const { workspaces } = modules.accounts
    const kits = new BrandKitService({ db, workspaces, blobs, mediaUrl: (hash) => `/m/${hash}`, now })
    const stage = () => blobs.stage(Buffer.from(crypto.randomUUID()))
    return { blobs, kits, stage, user: await newUser() }
  }

  it('is empty at first, and an edit does not change omitted fields', async () => {
    const { kits, user } = await setUp()
    expect(await kits.get(user)).toEqual(NO_BRAND_KIT)
    await kits.edit(user, { color: '#112233', accent: '#445566' }, undefined)
    const edited = await kits.edit(user, { accent: null, background: '#ffffff' }, undefined)
    expect(edited).toEqual({ ...NO_BRAND_KIT, color: '#112233', background: '#ffffff' })
    expect(await kits.get(user)).toEqual(edited)
    expect(await kits.get(await services().newUser())).toEqual(NO_BRAND_KIT)
  })

  it('has styles, one of which can be the default until it is removed', async () => {
    const { kits, user } = await setUp()
    const [menu, poster] = [
      { name: 'Menu', pattern: 'dots' as const, frame: 'Scan me', frame_font: 'serif' as const },
      { name: 'Poster', pattern: 'squares' as const, color: '#112233' },
    ]
    const saved = await kits.edit(user, { styles: [menu, poster], default_style: 'Menu' }, undefined)
    expect(saved).toEqual({ ...NO_BRAND_KIT, styles: [menu, poster], default_style: 'Menu' })
    await expect(kits.edit(user, { default_style: 'menu' }, undefined)).rejects.toMatchObject({
      errors: { default_style: ['Must be the name of a saved style'] },
    })
    expect(await kits.get(user)).toEqual(saved)
    expect(await kits.edit(user, { styles: [poster] }, undefined)).toMatchObject({
      styles: [poster],
      default_style: null,
    })
  })

  it('has one logo: a new one replaces its file, and null removes it', async () => {
    const { blobs, kits, stage, user } = await setUp()
    const [first, second] = [await stage(), await stage()]
    expect(await kits.edit(user, {}, first)).toMatchObject({ logo: `/m/${first.hash}` })
    expect(await kits.edit(user, { color: '#112233' }, undefined)).toMatchObject({ logo: `/m/${first.hash}` })
    expect(await kits.edit(user, {}, second)).toMatchObject({ logo: `/m/${second.hash}` })
    await blobs.settled()
    expect([await blobs.get(first.hash), await blobs.has(second.hash)]).toEqual([undefined, true])
    expect(await kits.edit(user, { logo: null }, undefined)).toMatchObject({ color: '#112233', logo: null })
    await blobs.settled()
    expect(await blobs.get(second.hash)).toBe(undefined)
  })

  it('leaves nothing of a logo that is discarded', async () => {
    const { blobs, kits, stage, user } = await setUp()
    const logo = await stage()
    await kits.discardLogo(logo)
    await kits.discardLogo(undefined)
    await blobs.settled()
    expect(await blobs.get(logo.hash)).toBe(undefined)
    expect(await kits.stageLogo(null)).toBe(undefined)
    expect(await kits.get(user)).toEqual(NO_BRAND_KIT)
  })

  it('rejects an unknown account', async () => {
    const { kits } = await setUp()
    await expect(kits.get(MISSING)).rejects.toMatchObject({ code: 'not_found' })
    await expect(kits.edit(MISSING, { color: '#112233' }, undefined)).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})
