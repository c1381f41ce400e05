import { toCsv } from '@waymark/contract/csv'
import { describe, expect, it } from 'vitest'
import type { ImportedLink } from './import-rules.ts'
import { ImportFileFault } from '@waymark/contract/link-files'
import { placeOf, readImport, type ReadOptions } from './read-import.ts'

const TO = 'https://example.com/a'

const read = (file: string | Uint8Array, options: ReadOptions = {}) => {
  const links: ImportedLink[] = []
  const summary = readImport(Buffer.from(file as string), options, (link) => links.push(link))
  return {
    ...summary,
    links,
    inputs: links.map(({ input }) => input),
    texts: summary.problems.map((problem) => placeOf(summary.unit, problem)),
    ignored: summary.columns.flatMap(({ name, meaning }) => (meaning === undefined ? [name] : [])),
  }
}

const faultOf = (file: string | Uint8Array, options: ReadOptions = {}): string | undefined => {
  try {
    read(file, options)
  } catch (error) {
    if (error instanceof ImportFileFault) return error.message
    throw error
  }
  return undefined
}

describe('a CSV file of links', () => {
  it('is read by the rules of a link, with numbers as numbers', () => {
    const { inputs, links } = read(
      'link,customLink,description,tag,expire,redirect,max_clicks,ios_url,android_url,domain,password\n' +
        'https://EXAMPLE.com,spring,"a, b",shop,2099-01-01,301,5,https://a.example,https://b.example,localhost,x\n' +
        'https://example.org,,,,,,,,,,\n',
    )
    expect(inputs[0]).toEqual({
      link: 'https://example.com/',
      description: 'a, b',
      tag: 'shop',
      expire: Date.parse('2099-01-01T23:59:59.999Z'),
      redirect: 301,
      max_clicks: 5,
      ios_url: 'https://a.example/',
      android_url: 'https://b.example/',
      password: 'x',
    })
    expect(links[0]).toMatchObject({
      shortCode: 'spring',
      isCustom: true,
      host: 'localhost',
      isForeign: false,
    })
    expect(links[1]).toMatchObject({
      line: 3,
      input: { link: 'https://example.org/' },
      shortCode: null,
      host: null,
    })
  })

  it('can come from Excel in Europe, and from other services', () => {
    const { inputs, links } = read('\ufeffLong URL;Slug;Tags\r\nhttps://example.com;a;shop\r\n;;\r\n')
    expect(inputs).toMatchObject([{ link: 'https://example.com/', tags: ['shop'] }])
    expect(links[0]?.shortCode).toBe('a')
  })

  it('reads an export, including random short codes and past expiries', () => {
    const { source, links, texts } = read(
      toCsv([
        [
          'link',
          'customLink',
          'description',
          'expire',
          'uuid',
          'code',
          'short_url',
          'clicks',
          'created_at',
          'has_password',
        ],
        [
          'https://example.com',
          '',
          "'=1+1",
          '2020-01-01T00:00:00.000Z',
          'u',
          'aB3',
          'http://x/aB3',
          3,
          '2019-05-06T07:08:09.010Z',
          'false',
        ],
      ]),
    )
    expect([source, texts]).toEqual(['waymark', []])
    expect(links).toEqual([
      {
        line: 2,
        input: {
          link: 'https://example.com/',
          description: "'=1+1",
          expire: Date.parse('2020-01-01T00:00:00Z'),
        },
        shortCode: 'aB3',
        isCustom: false,
        host: null,
        isForeign: false,
        createdAtMs: Date.parse('2019-05-06T07:08:09.010Z'),
        clicks: 3,
        isProtected: false,
        earlierCodes: null,
      },
    ])
  })

  it('reports line and column of every error, and keeps the other rows', () => {
    const { texts, importable, total } = read(
      'url,slug,redirect,max_clicks,expire,created_at,clicks\n' +
        'https://example.com,"two\nlines",302,1,,,\n' +
        'nonsense,,200,many,soon,once,-1\n' +
        '\n,ok,,,,,\n' +
        'https://example.com/right,,,,,,\n',
    )
    expect(texts).toEqual([
      'Line 2, slug: Must be 1 to 64 letters, digits, hyphens or underscores',
      'Line 4, created_at: Must be a date or a time',
      'Line 4, clicks: Must be a whole number',
      'Line 4, url: Must be a valid http or https URL',
      'Line 4, expire: Must be YYYY-MM-DD or an ISO 8601 time',
      'Line 4, max_clicks: Must be a number',
      'Line 4, redirect: Must be one of: 301, 302, 307, 308',
      'Line 6, url: This field is required',
    ])
    expect([total, importable]).toEqual([4, 1])
  })

  it.each([
    'has_password',
    'Has_Password',
    'HAS PASSWORD',
    'hasPassword',
    'Password protected',
    'is_protected',
  ])('never opens a protected link to everyone, however its column %s is written', (header) => {
    const file = (cell: string) => read(`link,${header}\nhttps://example.com,${cell}\n`)
    for (const cell of ['TRUE', 'true', ' True ', '1', 'yes', 'x']) {
      const { links, texts } = file(cell)
      expect(links[0]?.isProtected).toBe(true)
      expect(texts).toEqual([expect.stringMatching(/^Line 2, .*: Passwords are not exported/)])
    }
    for (const cell of ['FALSE', '', '0', 'no']) expect(file(cell).links[0]?.isProtected).toBe(false)
  })

  it.each([
    ['longUrl,shortCode', `${TO},spring`],
    ['Short link,URL', `dub.sh/spring,${TO}`],
    ['address,target', `spring,${TO}`],
    ['keyword,url', `spring,${TO}`],
    ['slashtag,destination', `spring,${TO}`],
    ['path,originalURL', `spring,${TO}`],
    ['tinyUrl,longUrl', `tinyurl.com/spring,${TO}`],
    ['bitlink,long_url', `bit.ly/spring,${TO}`],
  ])('nor one in a file of another service, with columns %s', (columns, cells) => {
    for (const column of ['password', 'Has_Password']) {
      const { source, links } = read(`${columns},${column}\n${cells},TRUE\n`)
      expect([source === 'generic', links[0]?.isProtected]).toEqual([false, true])
    }
  })

  it('ignores unknown columns, and lists them', () => {
    const { ignored, inputs } = read('colour,link,size,\nred,https://example.com,1,x\n')
    expect(ignored).toEqual(['colour', 'size', ''])
    expect(inputs).toEqual([{ link: 'https://example.com/' }])
    expect(read(`${'x'.repeat(5000)},link\n,https://a.example\n`).ignored).toEqual([`${'x'.repeat(40)}…`])
  })

  it('is rejected with duplicate columns, and without destinations', () => {
    expect(faultOf('link,url\nhttps://example.com,\n')).toBe('Line 1: The columns link and url mean the same')
    expect(faultOf('\ntag,Long link\nshop,x\n')).toBe(
      'Line 2: There is no column link. Columns found: tag, Long link',
    )
    expect(read('link\nhttps://example.com,stray').texts).toEqual([
      'Line 2: This row has more cells than there are columns',
    ])
  })

  it('is rejected if it is empty or not text', () => {
    expect(faultOf('')).toBe('The first row must contain column names')
    expect(faultOf('link,tag\n\n,\n')).toBe('Must contain at least one link')
    expect(faultOf('a,'.repeat(100_000))).toBe('Line 1: Must have at most 200 columns')
    expect(faultOf(`link\nhttps://example.com/\n${','.repeat(200)}`)).toBe(
      'Line 3: Must have at most 200 columns',
    )
    expect(faultOf(`link\n${'https://a.example\n'.repeat(500_001)}`)).toBe('Must have at most 500000 links')
    expect(faultOf('link\nhttps://example.com/\0')).toBe('Must be a CSV file: this file contains NUL bytes')
    for (const mark of ['\xff\xfe', '\xfe\xff'])
      expect(faultOf(Buffer.from(`${mark}l\0i\0n\0k\0`, 'latin1'))).toBe(
        'Must be in UTF-8: this file is in UTF-16. Save it as CSV UTF-8',
      )
    expect(faultOf('link,tag\nhttps://example.com,"open')).toBe('Line 2: A quote is opened and never closed')
  })

  it('is read as Windows-1252 if it is not UTF-8', () => {
    const bytes = Buffer.from('link,title\nhttps://example.com/,caf\xe9 \x80 \x96 \x93x\x94\n', 'latin1')
    expect(read(bytes).inputs).toEqual([{ link: 'https://example.com/', title: 'café € – “x”' }])
    const item = Buffer.from('[{"url":"https://example.com/","title":"caf\xe9"}]', 'latin1')
    expect(read(item).inputs).toEqual([{ link: 'https://example.com/', title: 'café' }])
    // A character on the border between two pieces of the check.
    const long = `link,title\nhttps://example.com/,${'x'.repeat((1 << 20) - 33)}é\n`
    expect(read(long).texts).toEqual(['Line 2, title: Must be at most 255 characters'])
    expect(read(`link,title\nhttps://example.com/,é${'\n'.repeat(1 << 20)}`).inputs[0]?.title).toBe('é')
  })

  it('uses the columns that the caller specifies', () => {
    const file = 'Long link,Name,Link,Notes\nhttps://example.com/,One,spring,x\n'
    const choices = [
      { column: 'long LINK', field: 'link' },
      { column: 'Link', field: 'customLink' },
      { column: 'Name', field: 'title' },
    ]
    const { columns, links } = read(file, { columns: choices })
    expect(columns.map(({ name, meaning }) => [name, meaning])).toEqual([
      ['Long link', 'link'],
      ['Name', 'title'],
      ['Link', 'customLink'],
      ['Notes', undefined],
    ])
    expect(links).toMatchObject([
      { input: { link: 'https://example.com/', title: 'One' }, shortCode: 'spring' },
    ])
    // Specified columns take precedence over detected ones, and known columns can be ignored.
    const one = read('link,Target page,tag\nx,https://example.com/,a\n', {
      columns: [
        { column: 'Target page', field: 'link' },
        { column: 'tag', field: null },
      ],
    })
    expect([one.inputs, one.ignored]).toEqual([[{ link: 'https://example.com/' }], ['link', 'tag']])
    expect(faultOf(file, { columns: [{ column: 'URL', field: 'link' }] })).toBe(
      'There is no column URL. Columns found: Long link, Name, Link, Notes',
    )
    const item = JSON.stringify([{ page: 'https://example.com/', data: { name: 'One' } }])
    expect(faultOf(item)).toBe(
      'There is no field with the destination of a link. Fields found: page, dataname',
    )
    const fields = [
      { column: 'page', field: 'link' },
      { column: 'dataname', field: 'title' },
    ]
    expect(read(item, { columns: fields }).inputs).toEqual([{ link: 'https://example.com/', title: 'One' }])
  })

  it('shows its columns in a preview, also without destinations', () => {
    const { columns, total, importable, texts } = read('Long link,tag\nx,y\nx,y\n', { isPreview: true })
    expect(columns.map(({ name, meaning }) => [name, meaning])).toEqual([
      ['Long link', undefined],
      ['tag', 'tag'],
    ])
    expect([total, importable, texts]).toEqual([
      2,
      0,
      ['Line 1: There is no column link. Columns found: Long link, tag'],
    ])
  })

  it('counts all problems, and keeps the first', () => {
    const { problems, problemCount } = read(`link\n${'nonsense\n'.repeat(1_500)}`)
    expect([problems.length, problemCount]).toEqual([1_000, 1_500])
  })
})
