import { describe, expect, it } from 'vitest'
import { leastNested, newSlug, picture, upload, wrongFields } from './support/pages.ts'
import { get, multipart, post } from './support/requests.ts'
import { onStack } from './support/stacks.ts'
import type { Account } from './support/waymark.ts'

onStack('embedded', (waymark) => {
  let shared: Account | undefined
  const account = async (): Promise<Account> => (shared ??= await waymark().account())
  const call = async (path: string, body: Parameters<typeof post>[3]) =>
    post(waymark(), await account(), path, body)
  const shown = async (slug: string): Promise<string> => (await fetch(`${waymark().url}/p/${slug}`)).text()
  const statusOf = async (url: string): Promise<number> => (await fetch(url)).status
  const create = async (fields: Record<string, unknown> = {}) =>
    (await call('/v1/generate-page', { ...leastNested(newSlug()), ...fields })).body.data

  describe('a draft of a page', () => {
    it('is kept apart from the published page until it is published', async () => {
      const page = await create({ title: 'As published' })
      const changes = { ...leastNested(page.slug), uuid: page.uuid, title: 'Being written' }
      const drafted = await call('/v1/edit-page', { ...changes, draft: true })
      expect(drafted.status).toBe(200)
      expect(drafted.body.data).toMatchObject({
        title: 'As published',
        unpublished: { title: 'Being written', slug: page.slug },
      })
      expect(drafted.body.data.updated_at > page.updated_at).toBe(true)
      expect(await shown(page.slug)).toContain('As published')
      expect(await shown(page.slug)).not.toContain('Being written')

      const listed = await get(waymark(), await account(), `/v1/pages?uuid=${page.uuid}`)
      expect(listed.body.data[0].unpublished.title).toBe('Being written')

      const published = await call('/v1/edit-page', { uuid: page.uuid, publish: true })
      expect(published.status).toBe(200)
      expect(published.body.data).toMatchObject({ title: 'Being written', unpublished: null })
      expect(await shown(page.slug)).toContain('Being written')
    })

    it('is what the next draft begins with, and an edit of the published page leaves it alone', async () => {
      const page = await create({ subtext: 'Old' })
      const least = { ...leastNested(page.slug), uuid: page.uuid }
      await call('/v1/edit-page', { ...least, subtext: 'New', draft: true })
      const second = await call('/v1/edit-page', { ...least, logoText: 'Logo', draft: true })
      expect(second.body.data.unpublished).toMatchObject({ subtext: 'New', logoText: 'Logo' })
      const live = await call('/v1/edit-page', { ...least, title: 'Live' })
      expect(live.body.data).toMatchObject({
        title: 'Live',
        subtext: 'Old',
        unpublished: { subtext: 'New', logoText: 'Logo' },
      })
      const published = await call('/v1/edit-page', { ...least, title: 'Last word', publish: true })
      expect(published.body.data).toMatchObject({
        title: 'Last word',
        subtext: 'New',
        logoText: 'Logo',
        unpublished: null,
      })
    })

    it('follows an edit of the published page, and names the fields that both changed', async () => {
      const page = await create({ title: 'Old', subtext: 'Old' })
      const edit = async (fields: Record<string, unknown>) =>
        (await call('/v1/edit-page', { ...leastNested(page.slug), uuid: page.uuid, ...fields })).body.data
      const drafted = await edit({ title: 'Draft', draft: true })
      expect(drafted.conflicts).toEqual([])
      const live = await edit({ title: 'Live', subtext: 'Live', logoText: 'Live' })
      expect(live).toMatchObject({
        unpublished: { title: 'Draft', subtext: 'Live', logoText: 'Live' },
        conflicts: ['title'],
      })
      const late = await post(
        waymark(),
        await account(),
        '/v1/edit-page',
        { uuid: page.uuid, publish: true },
        { 'if-match': `"${drafted.updated_at}"` },
      )
      expect([late.status, late.body.data.conflicts]).toEqual([412, ['title']])
      expect((await edit({ title: 'Live', draft: true })).conflicts).toEqual([])
      const published = await call('/v1/edit-page', { uuid: page.uuid, publish: true })
      expect(published.body.data).toMatchObject({ title: 'Live', subtext: 'Live', unpublished: null })
    })

    it('takes a picture of the published page that it had replaced', async () => {
      const page = await create()
      const send = async (more: Record<string, string>, file?: ReturnType<typeof upload>) =>
        (
          await call(
            '/v1/edit-page',
            multipart([
              ...Object.entries({ title: 'T', logoPosition: 'top-left', uuid: page.uuid, ...more }).map(
                ([name, value]) => ({ name, value }),
              ),
              { name: 'buttons[][label]', value: 'b' },
              ...(file === undefined ? [] : [file]),
            ]),
          )
        ).body.data
      const [image] = (await send({}, upload('images[]', await picture('#0000ff')))).images
      await send({ draft: 'true' }, upload('images[]', await picture('#ff0000')))
      const taken = await send({ 'images[0][src]': image.src, publish: 'true' })
      expect(taken.images[0].src).toBe(image.src)
      expect(await statusOf(image.src)).toBe(200)
    })

    it('is discarded by draft: false alone, with its pictures', async () => {
      const page = await create({ title: 'As published' })
      const fields = { uuid: page.uuid, title: 'Never mind', logoPosition: 'top-left', draft: 'true' }
      const drafted = await call(
        '/v1/edit-page',
        multipart([
          ...Object.entries(fields).map(([name, value]) => ({ name, value })),
          { name: 'buttons[][label]', value: 'b' },
          upload('logo', await picture('#abcdef')),
        ]),
      )
      expect([drafted.status, drafted.body.data.unpublished.title]).toEqual([200, 'Never mind'])
      const discarded = await call('/v1/edit-page', { uuid: page.uuid, draft: false })
      expect(discarded.status).toBe(200)
      expect(discarded.body.data).toMatchObject({ title: 'As published', logo: null, unpublished: null })
      await expect.poll(() => statusOf(drafted.body.data.unpublished.logo)).toBe(410)
      const again = await call('/v1/edit-page', { uuid: page.uuid, draft: false })
      expect([again.status, again.body.data.unpublished]).toEqual([200, null])
    })

    it('takes a new slug only when it is published', async () => {
      const page = await create()
      const slug = newSlug()
      const taken = await create()
      const least = { ...leastNested(slug), uuid: page.uuid }
      await call('/v1/edit-page', { ...least, draft: true })
      expect(await statusOf(`${waymark().url}/p/${slug}`)).toBe(404)
      await call('/v1/edit-page', { uuid: page.uuid, publish: true })
      expect(await statusOf(`${waymark().url}/p/${slug}`)).toBe(200)
      await call('/v1/edit-page', { ...least, slug: taken.slug, draft: true })
      const refused = await call('/v1/edit-page', { uuid: page.uuid, publish: true })
      expect([refused.status, wrongFields(refused)]).toEqual([409, ['slug']])
    })

    it('keeps its pictures and those of the published page', async () => {
      const page = await create()
      const fields = Object.entries({ title: 'T', logoPosition: 'top-left', uuid: page.uuid })
      const edit = async (color: string, more: Record<string, string>) =>
        call(
          '/v1/edit-page',
          multipart([
            ...[...fields, ...Object.entries(more)].map(([name, value]) => ({ name, value })),
            { name: 'buttons[][label]', value: 'b' },
            upload('logo', await picture(color)),
          ]),
        )
      const { logo } = (await edit('#0000ff', {})).body.data
      const drafted = (await edit('#ff0000', { draft: 'true' })).body.data
      expect(drafted.logo).toBe(logo)
      expect(await Promise.all([logo, drafted.unpublished.logo].map(statusOf))).toEqual([200, 200])
      const published = await call('/v1/edit-page', { uuid: page.uuid, publish: true })
      expect(published.body.data.logo).toBe(drafted.unpublished.logo)
      expect(await statusOf(published.body.data.logo)).toBe(200)
    })
  })

  describe('blocks of a page', () => {
    it('are links, headings, texts and dividers', async () => {
      const buttons = [
        { id: 1, status: 1, type: 'heading', label: 'Visit us' },
        { id: 2, status: 1, type: 'text', label: 'Every day until six.' },
        { id: 3, status: 1, type: 'divider' },
        { id: 4, status: 1, label: 'Call', url: 'tel:+44 1632 960001' },
        { id: 5, status: 1, label: 'Mail', url: 'MAILTO:me@example.com?subject=Hello' },
        { id: 6, status: 1, label: 'Text', url: 'sms:+441632960001?body=Hi' },
        { id: 7, status: 1, type: 'link', label: 'Site', url: 'https://example.com/' },
      ]
      const page = await create({ buttons })
      const none = { url: null, image: null, contact: null }
      expect(page.buttons).toEqual([
        { ...buttons[0], ...none },
        { ...buttons[1], ...none },
        { ...buttons[2], ...none, label: '' },
        { ...buttons[3], url: 'tel:+441632960001', type: 'link', image: null, contact: null },
        {
          ...buttons[4],
          url: 'mailto:me@example.com?subject=Hello',
          type: 'link',
          image: null,
          contact: null,
        },
        { ...buttons[5], type: 'link', image: null, contact: null },
        { ...buttons[6], image: null, contact: null },
      ])
      const html = await shown(page.slug)
      expect(html).toContain('>Visit us</h2>')
      expect(html).toContain('role="separator"')
      for (const href of ['tel:+441632960001', 'mailto:me@example.com?subject=Hello', 'https://example.com/'])
        expect(html).toContain(`href="${href}"`)
    })

    it.each([
      [{ label: 'x', type: 'banner' }, 'buttons.0.type'],
      [{ type: 'heading' }, 'buttons.0.label'],
      [{ label: 'x', url: 'javascript:alert(1)' }, 'buttons.0.url'],
      [{ label: 'x', url: 'tel:call me' }, 'buttons.0.url'],
      [{ label: 'x', url: 'mailto:"><script>@example.com' }, 'buttons.0.url'],
      [{ label: 'x', image: 'javascript:alert(1)' }, 'buttons.0.image'],
      [{ type: 'image' }, 'buttons.0.image'],
      [{ type: 'image', image: null, label: 'x' }, 'buttons.0.image'],
      [{ type: 'video', label: 'x' }, 'buttons.0.url'],
      [{ type: 'video', label: 'x', url: 'tel:+441632960001' }, 'buttons.0.url'],
      [{ type: 'video', url: 'https://example.com/' }, 'buttons.0.label'],
      [{ type: 'contact' }, 'buttons.0.contact'],
      [{ type: 'contact', contact: {} }, 'buttons.0.contact.first_name'],
      [{ type: 'contact', contact: 'Ada' }, 'buttons.0.contact'],
      [{ type: 'contact', contact: { last_name: 'a\nFN:b' } }, 'buttons.0.contact.last_name'],
      [{ type: 'contact', contact: { last_name: '😀'.repeat(256) } }, 'buttons.0.contact.last_name'],
      [{ type: 'contact', contact: { last_name: 'a', note: 'b'.repeat(5000) } }, 'buttons.0.contact.note'],
    ])('rejects %j', async (button, field) => {
      const refused = await call('/v1/generate-page', {
        ...leastNested(newSlug()),
        buttons: [{ id: 1, status: 1, ...button }],
      })
      expect([refused.status, wrongFields(refused)]).toEqual([422, [field]])
    })

    it('are images, videos and contacts, which visitors save as a file', async () => {
      const slug = newSlug()
      const emoji = '😀'.repeat(255)
      const hostile = 'x;y,z\\ "\u202eexe'
      const parts = [
        { name: 'title', value: 'T' },
        { name: 'slug', value: slug },
        { name: 'logoPosition', value: 'top-left' },
        upload('images[]', await picture('#00ff00')),
        { name: 'buttons[0][type]', value: 'image' },
        { name: 'buttons[0][label]', value: emoji },
        upload('buttons[0][image]', await picture('#fedcba')),
        { name: 'buttons[1][type]', value: 'video' },
        { name: 'buttons[1][label]', value: 'فيديو' },
        { name: 'buttons[1][url]', value: 'https://video.example/1' },
        { name: 'buttons[2][type]', value: 'contact' },
        { name: 'buttons[2][contact][first_name]', value: hostile },
        { name: 'buttons[2][contact][last_name]', value: emoji },
        { name: 'buttons[2][contact][phone]', value: '+44 (1632) 960-001' },
        { name: 'buttons[2][contact][note]', value: 'One\nTwo' },
      ]
      const made = await call('/v1/generate-page', multipart(parts))
      expect([made.status, made.body.errors]).toEqual([201, undefined])
      const [image, , card] = made.body.data.buttons
      expect(card).toMatchObject({ label: '', contact: { first_name: hostile, city: null } })
      const html = await shown(slug)
      expect(html).toContain(`alt="${emoji}"`)
      expect(html).toContain(new URL(image.image).pathname)
      expect(html).toContain('href="https://video.example/1"')
      const path = `/p/${slug}/3.vcf`
      expect(html).toContain(`href="${path}"`)

      const file = await fetch(waymark().url + path)
      expect([file.status, file.headers.get('content-type')]).toEqual([200, 'text/vcard; charset=utf-8'])
      const disposition = file.headers.get('content-disposition') ?? ''
      expect(disposition).toMatch(/^attachment; filename="contact\.vcf"; filename\*=UTF-8''[\w%.-]+\.vcf$/)
      expect(decodeURIComponent(disposition)).not.toContain('\u202e')
      const lines = (await file.text()).split('\r\n')
      expect(lines.slice(0, 3)).toEqual([
        'BEGIN:VCARD',
        'VERSION:3.0',
        String.raw`N:${emoji};x\;y\,z\\ "${'\u202e'}exe;;;`,
      ])
      expect(lines).toContain('TEL;TYPE=WORK,VOICE:+441632960001')
      expect(lines).toContain(String.raw`NOTE:One\nTwo`)

      // Sent back as it is, nothing changes and nothing is ignored; hidden, the file is gone with the card.
      const edit = { uuid: made.body.data.uuid, title: 'T', logoPosition: 'top-left' }
      const same = await call('/v1/edit-page', { ...edit, buttons: made.body.data.buttons })
      expect([same.body.data.buttons, same.body.ignored]).toEqual([made.body.data.buttons, undefined])
      for (const other of [`/p/${slug}/1.vcf`, `/p/${slug}/9.vcf`, `/p/${slug}/3.txt`, '/p/none/3.vcf'])
        expect(await statusOf(waymark().url + other)).toBe(404)
      await call('/v1/edit-page', { ...edit, buttons: [{ ...card, status: 0 }] })
      expect(await statusOf(waymark().url + path)).toBe(404)
      await call('/v1/remove-page', { uuid: made.body.data.uuid })
      expect(await statusOf(waymark().url + path)).toBe(410)
    })

    it('keep a thumbnail that was uploaded, by its address', async () => {
      const slug = newSlug()
      const made = await call(
        '/v1/generate-page',
        multipart([
          { name: 'title', value: 'T' },
          { name: 'slug', value: slug },
          { name: 'logoPosition', value: 'top-left' },
          upload('images[]', await picture('#00ff00')),
          { name: 'buttons[0][label]', value: 'Go' },
          { name: 'buttons[0][url]', value: 'https://example.com/' },
          upload('buttons[0][image]', await picture('#abcdef')),
        ]),
      )
      expect(made.status).toBe(201)
      const [button] = made.body.data.buttons
      expect(await statusOf(button.image)).toBe(200)
      const path = new URL(button.image).pathname
      expect(await shown(slug)).toContain(path)
      const edited = await call('/v1/edit-page', {
        uuid: made.body.data.uuid,
        title: 'T',
        logoPosition: 'top-left',
        buttons: [{ ...button, label: 'Go there' }],
      })
      expect(edited.body.data.buttons).toEqual([{ ...button, label: 'Go there' }])
      expect(await statusOf(button.image)).toBe(200)
    })
  })
})
