import { createReadStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Client,
  ConflictError,
  createClient,
  file,
  NotFoundError,
  PreconditionError,
  QuotaError,
  ValidationError,
} from '@waymark/sdk'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onStack } from './support/stacks.ts'

const url = 'https://example.com/'
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

onStack('embedded', (waymark) => {
  let client: Client
  let folder: string
  let path: string
  beforeAll(async () => {
    const { apiKey, secret } = await waymark().account()
    client = createClient({ baseUrl: waymark().url, apiKey, secret })
    folder = await mkdtemp(join(tmpdir(), 'waymark-sdk-'))
    path = join(folder, 'logo.png')
    const create = { width: 64, height: 64, channels: 3 as const, background: '#0b6e5f' }
    await writeFile(path, await sharp({ create }).png().toBuffer())
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  describe('change', () => {
    const blob = () => file(path)

    it('changes the fields that are named, of every resource, and leaves the others', async () => {
      const { data: link } = await client.generateLink({ link: url, tags: ['a', 'b'], title: 't' })
      expect((await client.change('links', link.uuid, { tags: ['b'] })).data).toMatchObject({
        link: url,
        title: 't',
        tags: ['b'],
      })
      const { data: qr } = await client.generateQr({ url, pattern: 'dots', description: 'd' })
      expect((await client.change('qrcodes', qr.uuid, { color: '#0b6e5f' })).data).toMatchObject({
        color: '#0b6e5f',
        pattern: 'dots',
        description: 'd',
      })
      const { data: barcode } = await client.generateBarcode({ url, text: 't' })
      expect((await client.change('barcodes', barcode.uuid, { text: null })).data).toMatchObject({
        url,
        text: null,
      })
      const utm = { url, source: 's', medium: 'm', campaign: 'c', content: 'x' }
      const { data: made } = await client.generateUtm(utm)
      expect((await client.change('utmLinks', made.uuid, { campaign: 'd' })).data).toMatchObject({
        ...utm,
        campaign: 'd',
      })
      const { data: page } = await client.generatePage({
        title: 't',
        slug: `change-${Date.now()}`,
        subtext: 'old',
        logoPosition: 'top-left',
        images: [blob()],
        buttons: [{ label: 'b', url }],
      })
      expect((await client.change('pages', page.uuid, { subtext: 'new' })).data).toMatchObject({
        title: 't',
        subtext: 'new',
        subtitle: 'new',
        slug: page.slug,
        images: page.images,
        buttons: page.buttons,
      })
    })

    it('throws for an unknown resource, a wrong field, and an edit in between', async () => {
      const { data: link } = await client.generateLink({ link: url })
      await expect(client.change('links', crypto.randomUUID(), { title: 'x' })).rejects.toThrow(NotFoundError)
      await expect(client.change('qrcodes', link.uuid, { size: 300 })).rejects.toThrow(NotFoundError)
      await expect(client.change('links', link.uuid, { max_clicks: -1 })).rejects.toThrow(ValidationError)
      const results = await Promise.allSettled(
        Array.from({ length: 8 }, (_, n) => client.change('links', link.uuid, { title: `t${n}` })),
      )
      const failures = results.filter((result) => result.status === 'rejected')
      for (const { reason } of failures) expect(reason).toBeInstanceOf(PreconditionError)
      expect(failures.length).toBeLessThan(8)
    })
  })

  describe('a whole resource, sent back with one change, changes in that alone', () => {
    const without = (resource: object, ...fields: string[]): object =>
      Object.fromEntries(
        Object.entries(resource).filter(([name]) => !['updated_at', ...fields].includes(name)),
      )

    it('a link, also after it was clicked', async () => {
      const { data: link } = await client.generateLink({ link: url, tag: 'x', max_clicks: 9, redirect: 307 })
      await fetch(link.short_url, { redirect: 'manual', headers: { 'user-agent': BROWSER } })
      await expect.poll(async () => (await client.links({ search: link.code })).data[0]?.clicks).toBe(1)
      const { data: edited } = await client.editLinks({ ...link, description: 'new' })
      expect(edited.description).toBe('new')
      expect(without(edited, 'description', 'clicks', 'last_click_at')).toEqual(
        without(link, 'description', 'clicks', 'last_click_at'),
      )
    })

    it('a QR code with a logo', async () => {
      const { data: code } = await client.generateQr({ url, pattern: 'dots', logo: file(path) })
      const { data: edited } = await client.editQr({ ...code, description: 'new' })
      expect(without(edited)).toEqual(without({ ...code, description: 'new' }))
      const { data: bare } = await client.editQr({ ...code, logo: null })
      expect(bare.logo).toBeNull()
    })

    it('a barcode', async () => {
      const { data: code } = await client.generateBarcode({ url, text: 'A' })
      const { data: edited } = await client.editBarcode({ ...code, description: 'new' })
      expect(without(edited)).toEqual(without({ ...code, description: 'new' }))
    })

    it('a UTM link', async () => {
      const input = { url, source: 's', medium: 'm', campaign: 'c', content: 'x', shorten: true }
      const { data: utm } = await client.generateUtm(input)
      const { data: edited } = await client.editUtm({ ...utm, term: 'new' })
      expect(without(edited, 'utm_url')).toEqual(without({ ...utm, term: 'new' }, 'utm_url'))
    })

    it('a page', async () => {
      const { data: page } = await client.generatePage({
        title: 'Before',
        slug: `sdk-${Date.now()}`,
        logoPosition: 'top-left',
        logo: file(path),
        images: [file(path)],
        buttons: [{ label: 'A', url }],
      })
      const { data: edited } = await client.editPage({ ...page, title: 'After' })
      const parts = ['short_link', 'qr_code']
      expect(without(edited, ...parts)).toEqual(without({ ...page, title: 'After' }, ...parts))
      const { data: blue } = await client.editPage({ ...page, theme: { ...page.theme, bgColor: '#0000ff' } })
      expect([blue.theme.bgColor, blue.theme.bg]).toEqual(['#0000ff', '#0000ff'])
    })

    it('a profile', async () => {
      await client.updatePersonalInfo({ first_name: 'Ada', image: file(path) })
      const { data: profile } = await client.profile()
      const { data: edited } = await client.updatePersonalInfo({ ...profile, last_name: 'Lovelace' })
      expect(edited).toEqual({ ...profile, last_name: 'Lovelace' })
      expect(edited.image).not.toBeNull()
    })
  })

  it('uploads from bytes, a blob, a path and streams', async () => {
    const bytes = await sharp(path).jpeg().toBuffer()
    const sources = [bytes, new Blob([bytes]), file(path), createReadStream(path), new Blob([bytes]).stream()]
    for (const logo of sources) {
      const { data } = await client.generateQr({ url, pattern: 'squares', logo })
      expect(data.logo).toContain('/m/')
    }
  })

  it('walks through a list of several pages', async () => {
    const links = Array.from({ length: 25 }, (_, at) => ({ link: `${url}${at}`, tag: 'walk' }))
    await client.generateLinks({ links })
    const seen: string[] = []
    for await (const { link } of client.links({ tag: 'walk', limit: 10 })) seen.push(link)
    expect(seen.toSorted()).toEqual(links.map(({ link }) => link).toSorted())
  })

  it('throws errors that say what they are', async () => {
    const customLink = `sdk${Date.now()}`
    await client.generateLink({ link: url, customLink })
    const fails = (call: Promise<unknown>) => expect(call).rejects
    await fails(client.generateLink({ link: url, customLink })).toBeInstanceOf(ConflictError)
    await fails(client.removeLinks({ uuid: 'unknown' })).toBeInstanceOf(NotFoundError)
    await fails(client.generateLink({ link: 'ftp://x' })).toBeInstanceOf(ValidationError)
    await fails(client.generateLink({ link: 'ftp://x' })).not.toBeInstanceOf(QuotaError)
    const error = await client.generateLink({ link: 'ftp://x' }).catch((thrown: ValidationError) => thrown)
    expect(error).toMatchObject({ code: 'validation', errors: { link: [expect.any(String)] } })
    expect((error as ValidationError).requestId).toMatch(/\S/)
  })
})
