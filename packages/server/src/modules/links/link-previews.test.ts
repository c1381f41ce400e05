import { UploadedFile } from '@waymark/contract'
import { expect, it } from 'vitest'
import { hashOf } from '../../storage/blobs/blobs.ts'
import { forEachDatabase } from '../../storage/db/testing.ts'
import { testServices } from '../testing.ts'
import { LinkPreparation } from './link-inserts.ts'

const link = 'https://example.com/'
const card = { title: 'A title', description: 'What it is about' }

/** An upload after decoding. */
const picture = (content: string): UploadedFile => {
  const bytes = Buffer.from(content)
  const file = new UploadedFile({ path: '', size: bytes.length, filename: 'a.png' })
  file.image = { hash: hashOf(bytes), bytes, width: 30, height: 20, format: 'webp', source: 'png' }
  return file
}

forEachDatabase((_engine, _open, databases) => {
  const services = testServices(databases)
  const links = () => services().modules.links.service
  const preparation = () => {
    const { core, modules } = services()
    return new LinkPreparation({ blobs: core.blobs, quotas: modules.accounts.quotas, links: links() })
  }
  const create = async (user: string, fields: object) =>
    links().create(user, { link, ...fields }, await preparation().one(fields))
  const edit = async (user: string, uuid: string, fields: object) =>
    links().edit(user, { uuid, link, ...fields }, await preparation().one(fields))
  const isKept = (content: string) => services().core.blobs.has(hashOf(Buffer.from(content)))
  const isHidden = (content: string) => services().core.blobs.isHidden(hashOf(Buffer.from(content)))
  const settled = () => services().core.blobs.settled()
  const urlOf = (content: string) => `https://way.example/m/${hashOf(Buffer.from(content))}.jpg`

  it('is stored, returned, changed field by field and removed', async () => {
    const user = await services().newUser()
    const { uuid, preview } = await create(user, { preview: card })
    expect(preview).toEqual({ ...card, image: null })
    expect((await edit(user, uuid, { title: 'other' })).preview).toEqual(preview)
    expect((await edit(user, uuid, { preview: { title: 'B' } })).preview).toEqual({
      title: 'B',
      description: card.description,
      image: null,
    })
    expect((await edit(user, uuid, { preview: { description: null } })).preview).toMatchObject({
      description: null,
    })
    expect((await edit(user, uuid, { preview: { title: null } })).preview).toBe(null)
    await edit(user, uuid, { preview: card })
    expect((await edit(user, uuid, { preview: null })).preview).toBe(null)
    expect((await create(user, { preview: {} })).preview).toBe(null)
  })

  it('keeps an uploaded picture by its URL, replaces it, and removes it', async () => {
    const user = await services().newUser()
    const { uuid, preview } = await create(user, { preview: { ...card, image: picture('first') } })
    expect(preview).toEqual({ ...card, image: urlOf('first') })
    const kept = await edit(user, uuid, { preview: { ...preview, title: 'B' } })
    expect(kept.preview).toMatchObject({ title: 'B', image: urlOf('first') })
    const replaced = await edit(user, uuid, { preview: { image: picture('second') } })
    expect(replaced.preview).toMatchObject({ title: 'B', image: urlOf('second') })
    await settled()
    expect([await isKept('first'), await isKept('second')]).toEqual([false, true])
    const foreign = { errors: { 'preview.image': [expect.any(String)] } }
    await expect(edit(user, uuid, { preview: { image: urlOf('first') } })).rejects.toMatchObject(foreign)
    await expect(create(user, { preview: { image: urlOf('second') } })).rejects.toMatchObject(foreign)
    expect((await edit(user, uuid, { preview: { image: null } })).preview).toMatchObject({ image: null })
    await settled()
    expect(await isKept('second')).toBe(false)
  })

  it('is trashed, restored and erased with its link', async () => {
    const user = await services().newUser()
    const { uuid } = await create(user, { preview: { image: picture('trashed') } })
    await links().owned.remove(user, { uuid })
    expect(await isHidden('trashed')).toBe(true)
    await services().modules.trash.service.restore(user, [uuid])
    expect(await isHidden('trashed')).toBe(false)
    await links().owned.remove(user, { uuid, permanent: true })
    await settled()
    expect(await isKept('trashed')).toBe(false)
    expect(await services().countRows('blob_refs', user)).toBe(0)
  })

  it('reports the place of an invalid picture among many links', async () => {
    const user = await services().newUser()
    const inputs = [{ link }, { link, preview: { image: 'https://elsewhere.example/a.png' } }]
    await expect(
      links().createMany(user, inputs, await preparation().many(user, inputs)),
    ).rejects.toMatchObject({ errors: { 'links.1.preview.image': [expect.any(String)] } })
  })

  it('hashes a password, and distinguishes none from an unchanged one', async () => {
    const hashOfPassword = async (password: string | null | undefined) =>
      (await preparation().one({ password })).passwordHash
    expect(await Promise.all([undefined, null, ''].map(hashOfPassword))).toEqual([undefined, null, null])
    expect(await hashOfPassword('secret')).toMatch(/^\$/)
  })
})
