import { describe, expect, it } from 'vitest'
import {
  leastForm,
  leastNested,
  newSlug,
  pageForm,
  picture,
  statusOnceGone,
  upload,
  wrongFields,
} from './support/pages.ts'
import { get, multipart, type Part, post } from './support/requests.ts'
import { onStack } from './support/stacks.ts'
import type { Account } from './support/waymark.ts'

onStack('embedded', (waymark) => {
  let shared: Account | undefined
  const account = async (): Promise<Account> => (shared ??= await waymark().account())
  const call = async (path: string, body: Parameters<typeof post>[3]) =>
    post(waymark(), await account(), path, body)
  const createForm = async (slug: string, more: readonly Part[] = []) =>
    call('/v1/generate-page', await pageForm(slug, more))
  const createNested = (fields: Record<string, unknown> = {}) =>
    call('/v1/generate-page', { ...leastNested(newSlug()), ...fields })
  const edit = (fields: Record<string, unknown>) =>
    call('/v1/edit-page', { title: 'T', logoPosition: 'top-left', buttons: [{ label: 'b' }], ...fields })

  describe('edit-page', () => {
    it('keeps what is left out, and clears what is null', async () => {
      const { body: made } = await createNested({ subtitle: 's', logoText: 'l', socialAlign: 'left' })
      const { uuid, theme, slug } = made.data
      const { status, body } = await edit({ uuid, title: 'New', subtext: null })
      expect(status).toBe(200)
      expect(body.data).toMatchObject({ title: 'New', subtext: null, logoText: 'l', slug, theme })
      expect(body.data.socialAlign).toBe('left')
      const cleared = await edit({ uuid, socialAlign: null, theme: null, logoText: null })
      expect(cleared.body.data).toMatchObject({ socialAlign: 'center', logoText: null })
      expect(cleared.body.data.theme.bggradient).toBeNull()
      expect(Date.parse(cleared.body.data.updated_at)).toBeGreaterThan(Date.parse(made.data.updated_at))
    })

    it('asks for its required set', async () => {
      const { body } = await createNested()
      const refused = await call('/v1/edit-page', { uuid: body.data.uuid })
      expect(wrongFields(refused)).toEqual(['buttons', 'logoPosition', 'title'])
    })

    it('replaces buttons, icons and theme', async () => {
      const { body } = await createNested({
        socialIcons: [{ icon: 'facebook' }],
        buttons: [{ id: 4, status: 1, label: 'old' }],
      })
      const { uuid } = body.data
      const { data } = (
        await edit({
          uuid,
          buttons: [{ label: 'a' }, { id: 1, label: 'b' }],
          socialIcons: [{ name: 'youtube' }],
          theme: { textColor: '#101010' },
        })
      ).body
      expect(data.buttons.map(({ id, label }: { id: number; label: string }) => [id, label])).toEqual([
        [2, 'a'],
        [1, 'b'],
      ])
      expect(data.socialIcons).toHaveLength(1)
      expect(data.theme).toMatchObject({ textColor: '#101010', bggradient: null })
    })

    it('replaces images by uploads, and keeps, moves or hides those that are named', async () => {
      const [one, two] = [await picture('#010101', 40, 30), await picture('#020202', 50, 30)]
      const parts = await leastForm(newSlug())
      const made = await call(
        '/v1/generate-page',
        multipart([
          ...parts.filter(({ name }) => name !== 'images[]'),
          upload('images[]', one),
          upload('images[]', two),
        ]),
      )
      const { uuid, images } = made.body.data
      const [first, second] = images as { id: number; src: string }[]
      const moved = await edit({
        uuid,
        images: [
          { id: second?.id, status: 0 },
          { id: first?.id, title: 'Kept' },
        ],
      })
      expect(moved.body.data.images).toEqual([
        { id: second?.id, src: second?.src, status: 0, title: null },
        { id: first?.id, src: first?.src, status: 1, title: 'Kept' },
      ])
      const whole = await edit({ uuid, images: moved.body.data.images })
      expect(whole.body.data.images).toEqual(moved.body.data.images)
      expect((await fetch(second?.src ?? '')).status).toBe(200)

      const replaced = await call(
        '/v1/edit-page',
        multipart([
          { name: 'uuid', value: uuid as string },
          { name: 'title', value: 'T' },
          { name: 'logoPosition', value: 'top-left' },
          { name: 'buttons[][label]', value: 'b' },
          upload('images[]', await picture('#030303', 20, 30)),
        ]),
      )
      expect(replaced.body.data.images).toHaveLength(1)
      expect(await statusOnceGone(first?.src ?? '')).toBe(410)
      const unknown = await edit({ uuid, images: [{ id: 99 }] })
      expect(wrongFields(unknown)).toEqual(['images.0.src'])
    })

    it('never mixes edits that come at once', async () => {
      const { body } = await createNested()
      const { uuid } = body.data
      const edits = Array.from({ length: 8 }, (_, n) => {
        const word = `edit-${n}`
        return edit({ uuid, title: word, subtext: word, logoText: word, buttons: [{ label: word }] })
      })
      for (const { status } of await Promise.all(edits)) expect(status).toBe(200)
      const { data } = (await get(waymark(), await account(), `/v1/pages?search=edit-`)).body
      const [page] = data as {
        uuid: string
        title: string
        subtext: string
        logoText: string
        buttons: { label: string }[]
      }[]
      expect(page?.uuid).toBe(uuid)
      expect([page?.subtext, page?.logoText, page?.buttons[0]?.label]).toEqual([
        page?.title,
        page?.title,
        page?.title,
      ])
    })

    it('does not give one page the slug of another', async () => {
      const [one, two] = [await createNested(), await createNested()]
      const refused = await edit({ uuid: one.body.data.uuid, slug: two.body.data.slug })
      expect([refused.status, wrongFields(refused)]).toEqual([409, ['slug']])
    })
  })

  describe('what belongs to a page', () => {
    it('is not editable or removable on its own', async () => {
      const { short_link, qr_code } = (await createNested()).body.data
      const moved = await call('/v1/edit-links', { uuid: short_link.uuid, link: 'https://example.com/else' })
      expect(moved.status).toBe(409)
      expect((await call('/v1/remove-links', { uuid: short_link.uuid })).status).toBe(409)
      expect((await call('/v1/edit-qr', { uuid: qr_code.uuid, url: 'https://example.com' })).status).toBe(409)
      expect((await call('/v1/remove-qr', { uuid: qr_code.uuid })).status).toBe(409)
      const recoloured = await call('/v1/edit-qr', { uuid: qr_code.uuid, color: '#102030' })
      expect(recoloured.body.data).toMatchObject({ color: '#102030', encodes: qr_code.encodes })
    })

    it('goes with it', async () => {
      const made = await createForm(newSlug(), [upload('logo', await picture('#778899', 33, 22))])
      const { uuid, page_url, short_link, qr_code, images, logo, slug } = made.body.data
      expect((await call('/v1/remove-page', { uuid })).body.data).toEqual({ uuid })
      expect((await fetch(page_url)).status).toBe(410)
      expect((await fetch(`${waymark().url}/o/${slug}.png`)).status).toBe(410)
      expect((await fetch(short_link.short_url)).status).toBe(410)
      expect((await fetch(qr_code.image_url)).status).toBe(410)
      expect(await statusOnceGone(logo)).toBe(410)
      expect((await call('/v1/remove-page', { uuid })).status).toBe(404)
      expect(images).toHaveLength(1)
      const again = await createNested({ slug })
      expect([again.status, wrongFields(again)]).toEqual([409, ['slug']])
    })
  })
})
