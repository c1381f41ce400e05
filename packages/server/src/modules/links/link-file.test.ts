import { toCsv } from '@waymark/contract/csv'
import { describe, expect, it } from 'vitest'
import { LinkFileFault, readLinkFile } from './link-file.ts'

const read = (text: string) => readLinkFile(Buffer.from(text))
const faultsOf = (file: string | Uint8Array): readonly string[] => {
  try {
    readLinkFile(Buffer.from(file as string))
  } catch (error) {
    if (error instanceof LinkFileFault) return error.sentences
    throw error
  }
  return []
}

describe('a file of links', () => {
  it('is read by the rules of a link, with numbers as numbers', () => {
    const { links } = read(
      'link,customLink,description,tag,expire,redirect,max_clicks,ios_url,android_url,domain,password\n' +
        'https://EXAMPLE.com,spring,"a, b",shop,2099-01-01,301,5,https://a.example,https://b.example,localhost,x\n' +
        'https://example.org,,,,,,,,,,\n',
    )
    expect(links).toEqual([
      {
        link: 'https://example.com/',
        customLink: 'spring',
        description: 'a, b',
        tag: 'shop',
        expire: Date.parse('2099-01-01T23:59:59.999Z'),
        redirect: 301,
        max_clicks: 5,
        ios_url: 'https://a.example/',
        android_url: 'https://b.example/',
        domain: 'localhost',
        password: 'x',
      },
      { link: 'https://example.org/' },
    ])
  })

  it('may come from Excel in Europe, and from other services', () => {
    const { links } = read('\ufeffLong URL;Slug;Tags\r\nhttps://example.com;a;shop\r\n;;\r\n')
    expect(links).toEqual([{ link: 'https://example.com/', customLink: 'a', tags: ['shop'] }])
  })

  it('takes what an export says besides for what it is', () => {
    const { links } = read(
      toCsv([
        ['link', 'description', 'uuid', 'short_url', 'clicks', 'created_at', 'has_password'],
        ['https://example.com', "'=1+1", 'u', 'http://x/y', 3, 'z', 'false'],
      ]),
    )
    expect(links).toEqual([{ link: 'https://example.com/', description: "'=1+1" }])
  })

  it('names line and column of everything that is wrong, as the file has them', () => {
    expect(
      faultsOf(
        'url,slug,redirect,max_clicks,expire,tags\n' +
          'https://example.com,"two\nlines",302,1,,\n' +
          'nonsense,,200,many,2020-01-01,"a,b"\n' +
          '\n,ok,,,,\n',
      ),
    ).toEqual([
      'Line 2, slug: Must be 1 to 64 letters, digits, hyphens or underscores',
      'Line 4, url: Must be a valid http or https URL',
      'Line 4, expire: Must not be in the past',
      'Line 4, max_clicks: Must be a number',
      'Line 4, redirect: Must be one of: 301, 302, 307, 308',
      'Line 6, url: This field is required',
    ])
  })

  it('does not open to everyone what asked for a password', () => {
    const file = (password: string) =>
      `link,has_password,password\nhttps://example.com,TRUE,${password}\nhttps://example.com,false,\n`
    expect(faultsOf(file(''))).toEqual([
      'Line 2, has_password: Passwords are not exported: add a column password, or say false here',
    ])
    expect(faultsOf(file('x'))).toEqual([])
  })

  it('is refused for columns that nobody knows, that are there twice, or that are missing', () => {
    expect(faultsOf('colour,link,url,size\nred,https://example.com,,\n')).toEqual([
      'Line 1: The column colour is not known',
      'Line 1: The column size is not known',
      'Line 1: The columns link and url mean the same',
    ])
    expect(faultsOf('\ntag\nshop\n')).toEqual(['Line 2: There is no column link'])
    expect(faultsOf('link\nhttps://example.com,stray')).toEqual(['Line 2: There are more cells than columns'])
    expect(faultsOf(`${'x'.repeat(5000)},link\n`)).toEqual([
      `Line 1: The column ${'x'.repeat(40)}… is not known`,
    ])
  })

  it('is refused when there is nothing in it, or too much', () => {
    expect(faultsOf('')).toEqual(['Must begin with a line that names its columns'])
    expect(faultsOf('link,tag\n\n,\n')).toEqual(['Must have a line for at least one link'])
    const lines = (count: number) => `link\n${'https://example.com\n'.repeat(count)}`
    expect(faultsOf(lines(1000))).toEqual([])
    expect(faultsOf(lines(1001))).toEqual(['Must have at most 1000 lines below the header'])
    expect(faultsOf('a,'.repeat(100_000))).toEqual(['Must have at most 100 columns'])
  })

  it('is refused when it is no text', () => {
    expect(faultsOf(Buffer.from('link\nhttps://example.com/\xfc', 'latin1'))).toEqual([
      'Must be a CSV file in UTF-8',
    ])
    expect(faultsOf('link\nhttps://example.com/\0')).toEqual(['Must be a CSV file: this one holds NUL bytes'])
    expect(faultsOf('link,tag\nhttps://example.com,"open')).toEqual([
      'Line 2: A quote is opened and never closed',
    ])
  })

  it.each(['Has_Password', 'HAS PASSWORD', 'hasPassword'])(
    'never opens a protected link to everyone, however its column %s is written',
    (header) => {
      const file = (cell: string) => `link,${header}\nhttps://example.com,${cell}\n`
      for (const cell of ['TRUE', 'true', ' True ', '1', 'yes', 'x'])
        expect(faultsOf(file(cell))).toEqual([
          'Line 2, has_password: Passwords are not exported: add a column password, or say false here',
        ])
      for (const cell of ['FALSE', '', '0', 'no']) expect(faultsOf(file(cell))).toEqual([])
    },
  )

  it('tells as many faults as anybody reads', () => {
    const faults = faultsOf(`link\n${'nonsense\n'.repeat(1000)}`)
    expect([faults.length, faults.at(-1)]).toEqual([101, 'And 900 more'])
  })
})
