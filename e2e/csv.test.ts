import { readCsv } from '@waymark/contract/csv'
import { schemas } from '@waymark/contract/schemas'
import { createClient } from '@waymark/sdk'
import { describe, expect, it } from 'vitest'
import { type Answered, get, multipart, post } from './support/requests.ts'
import { onStack } from './support/stacks.ts'
import type { Account } from './support/waymark.ts'

/** An export has a column for every field that the API answers. */
const COLUMNS = [...Object.keys(schemas.generateLink.response.shape.data.shape), 'earlier_codes'].toSorted()

const MIB = 1024 * 1024

onStack('embedded', (waymark) => {
  const send = (account: Account, file: string | Uint8Array, headers = {}): Promise<Answered> => {
    const body = multipart([{ name: 'file', value: file, filename: 'links.csv', type: 'text/csv' }])
    return post(waymark(), account, '/v1/import-links', body, headers)
  }
  const exported = async (account: Account, query = ''): Promise<string[][]> => {
    const { status, body } = await get(waymark(), account, `/v1/export-links${query}`)
    expect(status).toBe(200)
    // No cell of these tests holds a separator or a break.
    return String(body)
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(','))
  }
  const totalOf = async (account: Account): Promise<number> =>
    (await get(waymark(), account, '/v1/links?limit=1')).body.meta.total

  describe('import-links', () => {
    it('makes every link of a file, as a spreadsheet wrote it', async () => {
      const account = await waymark().account()
      const code = `csv${Date.now()}`
      const { status, body } = await send(
        account,
        `\ufeffLong URL;Slug;description;tag;max_clicks\r\nhttps://example.com/1;${code};"two\r\nlines; and ""quotes""";shop;3\r\n\r\nhttps://example.com/2;;'=1+1;;\r\n`,
      )
      expect([status, body.message]).toEqual([201, 'Short links imported'])
      expect(body.data).toMatchObject([
        { link: 'https://example.com/1', code, description: 'two\r\nlines; and "quotes"', max_clicks: 3 },
        { link: 'https://example.com/2', customLink: null, description: '=1+1', tag: null },
      ])
      const visit = await fetch(`${waymark().url}/${code}`, { redirect: 'manual' })
      expect(visit.headers.get('location')).toBe('https://example.com/1')
      expect(await totalOf(account)).toBe(2)
    })

    it('is all or none, and names the line and the column, also of a code that is taken', async () => {
      const account = await waymark().account()
      const code = `once${Date.now()}`
      const taken = await send(
        account,
        `link,customLink\nhttps://a.example,${code}\nhttps://b.example,${code}\n`,
      )
      expect([taken.status, taken.body.errors]).toEqual([
        409,
        { file: ['Line 3, customLink: This short code is taken'] },
      ])
      const wrong = await send(account, `url,max_clicks,colour\nhttps://a.example,many,red\n`)
      expect([wrong.status, wrong.body.errors]).toEqual([
        422,
        { file: ['Line 2, max_clicks: Must be a number'] },
      ])
      const loop = await send(
        account,
        `link,ios_url\nhttps://a.example,\nhttps://a.example,${waymark().url}/abc\n`,
      )
      expect(loop.body.errors.file).toEqual([
        'Line 3, ios_url: Must not lead to a short link of this service',
      ])
      const domain = await send(account, `link,domain\nhttps://a.example,nowhere.example\n`)
      expect(domain.body.errors.file[0]).toMatch(/^Line 2, domain: /)
      expect(await totalOf(account)).toBe(0)
    })

    it('ignores columns that are not known, and names them', async () => {
      const account = await waymark().account()
      const { status, body } = await send(account, 'link,colour,Size\nhttps://example.com,red,1\n')
      expect([status, body.ignored, body.data.length]).toEqual([201, ['colour', 'Size'], 1])
      const odd = await send(account, '__proto__,constructor,link\na,b,https://example.com\n')
      expect([odd.status, odd.body.ignored]).toEqual([201, ['__proto__', 'constructor']])
      expect((await send(account, 'link\nhttps://example.com\n')).body).not.toHaveProperty('ignored')
    })

    it('is done once for one Idempotency-Key', async () => {
      const account = await waymark().account()
      const key = { 'idempotency-key': 'the same' }
      const first = await send(account, 'link\nhttps://example.com\n', key)
      const second = await send(account, 'link\nhttps://example.com\n', key)
      expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
      expect(second.body).toEqual(first.body)
      expect(await totalOf(account)).toBe(1)
    })

    it('422 for whatever is no table of links', async () => {
      const account = await waymark().account()
      const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
      const files: Record<string, string | Uint8Array> = {
        empty: ' ',
        'half a million lines': `link\n${'https://example.com\n'.repeat(MIB / 2)}`,
        'a hundred thousand columns': `link${',a'.repeat(100_000)}\n`,
        'a million separators': `link\n${','.repeat(MIB)}x\n`,
        'an open quote': `link\n"https://example.com\n${'x\n'.repeat(100_000)}`,
        'only quotes': '"'.repeat(MIB + 1),
        'NUL bytes': 'link\nhttps://example.com/\0\n',
        'UTF-16': Buffer.from('\ufefflink\nhttps://example.com\n', 'utf16le'),
        'a picture': png,
        'no header': 'https://example.com\nhttps://example.org\n',
        'names of the language': '__proto__,constructor\na,b\n',
      }
      for (const [name, file] of Object.entries(files)) {
        const { status, body } = await send(account, file)
        expect([name, status, Object.keys(body.errors)]).toEqual([name, 422, ['file']])
      }
      const target = '/v1/import-links'
      for (const body of [{}, { file: 'link\nhttps://example.com' }, { file: null }, { file: [] }])
        expect((await post(waymark(), account, target, body)).status).toBe(422)
      const text = multipart([{ name: 'file', value: 'link\nhttps://example.com' }])
      expect((await post(waymark(), account, target, text)).body.errors).toEqual({ file: ['Must be a file'] })
      expect(await totalOf(account)).toBe(0)
    })

    it('401 unless it is signed', async () => {
      const { apiKey } = await waymark().account()
      const response = await fetch(`${waymark().url}/v1/import-links`, {
        method: 'POST',
        headers: { 'x-api-key': apiKey },
      })
      expect(response.status).toBe(401)
    })
  })

  it('keeps earlier short codes leading to an imported link, and exports them again', async () => {
    const account = await waymark().account()
    const [code, old] = [crypto.randomUUID(), crypto.randomUUID()]
    const file = `link,customLink,earlier_codes\nhttps://example.com/moved,${code},${old}\n`
    expect((await send(account, file)).status).toBe(201)
    for (const each of [code, old]) {
      const visit = await fetch(`${waymark().url}/${each}`, { redirect: 'manual' })
      expect([visit.status, visit.headers.get('location')]).toEqual([302, 'https://example.com/moved'])
    }
    const { body } = await get(waymark(), account, '/v1/export-links')
    const [head, line] = [...readCsv(String(body))].map(({ cells }) => cells)
    expect(line?.[head?.indexOf('earlier_codes') ?? -1]).toBe(old)
  })

  describe('export-links', () => {
    it('answers a file that a spreadsheet opens without running anything in it', async () => {
      const account = await waymark().account()
      await post(waymark(), account, '/v1/generate-link', {
        link: 'https://example.com/?a=1,2',
        description: '=HYPERLINK("https://evil.example")',
        tag: "'+1",
        expire: '2099-01-01',
        password: 'x',
      })
      const { status, headers, body } = await get(waymark(), account, '/v1/export-links')
      expect(status).toBe(200)
      expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
      expect(headers.get('content-disposition')).toBe('attachment; filename="waymark-links.csv"')
      expect(headers.get('cache-control')).toBe('no-cache, private')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      const [head, line, ...rest] = [...readCsv(String(body))].map(({ cells }) => cells)
      expect([head?.toSorted(), rest]).toEqual([COLUMNS, []])
      expect(Object.fromEntries((head ?? []).map((name, at) => [name, line?.[at]]))).toMatchObject({
        link: 'https://example.com/?a=1,2',
        customLink: '',
        description: `'=HYPERLINK("https://evil.example")`,
        tag: "''+1",
        expire: '2099-01-01T23:59:59.999Z',
        redirect: '302',
        max_clicks: '',
        domain: '',
        has_password: 'true',
      })
    })

    it('needs only the key, and takes HEAD', async () => {
      const { apiKey } = await waymark().account()
      for (const method of ['GET', 'HEAD']) {
        const response = await fetch(`${waymark().url}/v1/export-links`, {
          method,
          headers: { 'x-api-key': apiKey },
        })
        const text = await response.text()
        const names = text === '' ? [] : text.trimEnd().split(',').toSorted()
        expect([response.status, names]).toEqual([200, method === 'GET' ? COLUMNS : []])
        expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
      }
      expect((await fetch(`${waymark().url}/v1/export-links`)).status).toBe(401)
    })

    it('tells all of many, newest first, and of nobody else', async () => {
      const [account, other] = [await waymark().account(), await waymark().account()]
      const lines = Array.from({ length: 600 }, (_, n) => `https://example.com/${n},${n % 4 ? '' : 'fourth'}`)
      expect((await send(account, `link,tag\n${lines.join('\n')}`)).status).toBe(201)
      expect((await send(other, 'link,tag\nhttps://other.example,fourth\n')).status).toBe(201)
      const all = await exported(account)
      expect(all.map(([link = '']) => link).toSorted()).toEqual(
        Array.from({ length: 600 }, (_, n) => `https://example.com/${n}`).toSorted(),
      )
      // Ids grow with time.
      const uuids = all.map((cells) => cells.at(-1) ?? '')
      expect(uuids).toEqual(uuids.toSorted().toReversed())
      expect(await exported(account, '?tag=fourth')).toHaveLength(150)
      const found = await exported(account, '?tag=fourth&search=EXAMPLE.com%2F59')
      expect(found.map(([link = '']) => link.slice(-3)).toSorted()).toEqual(['592', '596'])
      expect(await exported(account, '?search=other')).toEqual([])
      expect((await exported(other)).map(([link]) => link)).toEqual(['https://other.example/'])
      const tooLong = await get(waymark(), account, `/v1/export-links?tag=${'x'.repeat(256)}`)
      expect([tooLong.status, Object.keys(tooLong.body.errors)]).toEqual([422, ['tag']])
    })

    it('gives what an import of the SDK takes, and ends with the account', async () => {
      const [account, other] = [await waymark().account(), await waymark().account()]
      const clientOf = ({ apiKey, secret }: Account) =>
        createClient({ baseUrl: waymark().url, apiKey, secret })
      const fields = {
        link: 'https://example.com/moved',
        description: '\'-1; "two"\nlines',
        tag: '@all',
        expire: '2099-05-06T07:08:09.010Z',
        redirect: 308 as const,
        max_clicks: 7,
        ios_url: 'https://example.com/ios',
        android_url: 'https://example.com/android',
        tags: ['@all', 'a,b'],
        archived: true,
        starts_at: '2099-01-01T00:00:00.000Z',
        forward_query: true,
        rules: [{ if: { country: ['DE'], query: ['x="y"'] }, to: 'https://example.com/de' }],
        variants: [
          { url: 'https://example.com/a', weight: 1, name: 'A' },
          { url: 'https://example.com/b', weight: 9, name: 'Größer' },
        ],
      }
      await clientOf(account).generateLink(fields)
      const file = new Blob([await clientOf(account).exportLinks()])
      const { data } = await clientOf(other).importLinks({ file })
      expect(data).toMatchObject([{ ...fields, clicks: 0, owner: null }])
      await clientOf(account).removeAccount({ reason: 'done' })
      const gone = await get(waymark(), account, '/v1/export-links')
      expect([gone.status, gone.body]).toEqual([401, { error: 'Invalid API key' }])
      expect(await exported(other)).not.toEqual([])
    })
  })
})
