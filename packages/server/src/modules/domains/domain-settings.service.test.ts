import { expect, it } from 'vitest'
import { forEachDatabase } from '../../storage/db/testing.ts'
import { testServices } from '../testing.ts'

forEachDatabase((_engine, _open, databases) => {
  const services = testServices(databases)
  const setUp = async () => {
    const { core, modules, newUser } = services()
    const { service, settings, registry } = modules.domains
    const [user, name] = [await newUser(), `${crypto.randomUUID()}.example`]
    await service.addVerified(name, user)
    await registry.refresh()
    return { blobs: core.blobs, settings, registry, user, name }
  }

  it('changes the given fields, resets null to the default, and applies them in this process', async () => {
    const { settings, registry, user, name } = await setUp()
    const first = { root_url: 'https://example.com/', brand_name: 'Shop', brand_color: '#112233' }
    expect(await settings.edit(user, { name, ...first }, undefined)).toMatchObject({ name, ...first })
    const upper = name.toUpperCase()
    expect(await settings.edit(user, { name: upper, brand_name: null }, undefined)).toMatchObject({
      ...first,
      brand_name: null,
    })
    await settings.known()
    expect(registry.settingsOf(name)).toMatchObject({
      rootUrl: 'https://example.com/',
      brand: { name: null, color: '#112233' },
    })
  })

  it('replaces the logo with its file, and null removes it', async () => {
    const { blobs, settings, user, name } = await setUp()
    const stage = () => blobs.stage(Buffer.from(crypto.randomUUID()))
    const [first, second] = [await stage(), await stage()]
    await settings.edit(user, { name }, first)
    const { logo } = await settings.edit(user, { name }, second)
    expect(logo).toContain(second.hash)
    expect(await settings.edit(user, { name, brand_name: 'Shop' }, undefined)).toMatchObject({ logo })
    await blobs.settled()
    expect(await blobs.get(first.hash)).toBe(undefined)
    expect(await settings.edit(user, { name, logo: null }, undefined)).toMatchObject({ logo: null })
    await blobs.settled()
    expect(await blobs.get(second.hash)).toBe(undefined)
  })

  it('is found only by its owner', async () => {
    const { settings, name } = await setUp()
    for (const workspaceUuid of [await services().newUser(), null])
      await expect(settings.edit(workspaceUuid, { name }, undefined)).rejects.toMatchObject({
        code: 'not_found',
      })
  })

  it('rejects URLs that lead back to this service, except a page at the root', async () => {
    const { settings, user, name } = await setUp()
    const page = `https://${name}/p/home`
    for (const field of ['root_url', 'not_found_url', 'expired_url'] as const) {
      for (const url of ['https://way.example/abc', `https://${name}/`, `https://${name}/abc`])
        await expect(settings.edit(user, { name, [field]: url }, undefined)).rejects.toMatchObject({
          errors: { [field]: ['Must not lead back to a domain of this service'] },
        })
      const edit = settings.edit(user, { name, [field]: page }, undefined)
      if (field === 'root_url') expect(await edit).toMatchObject({ root_url: page })
      else await expect(edit).rejects.toMatchObject({ status: 422 })
    }
  })
})
