import { expect, it } from 'vitest'
import { testServices } from '../../modules/testing.ts'
import { forEachDatabase } from '../../storage/db/testing.ts'
import { BrandKitService } from './brand-kit.service.ts'

const MISSING = '00000000-0000-7000-8000-000000000001'
const NOTHING = { color: null, accent: null, background: null, logo: null }

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

  it('is empty at first, and an edit keeps what it leaves out', async () => {
    const { kits, user } = await setUp()
    expect(await kits.get(user)).toEqual(NOTHING)
    await kits.edit(user, { color: '#112233', accent: '#445566' }, undefined)
    const edited = await kits.edit(user, { accent: null, background: '#ffffff' }, undefined)
    expect(edited).toEqual({ color: '#112233', accent: null, background: '#ffffff', logo: null })
    expect(await kits.get(user)).toEqual(edited)
    expect(await kits.get(await services().newUser())).toEqual(NOTHING)
  })

  it('has one logo: another replaces its file, and null removes it', async () => {
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
    expect(await kits.get(user)).toEqual(NOTHING)
  })

  it('rejects an account that is not there', async () => {
    const { kits } = await setUp()
    await expect(kits.get(MISSING)).rejects.toMatchObject({ code: 'not_found' })
    await expect(kits.edit(MISSING, { color: '#112233' }, undefined)).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})
