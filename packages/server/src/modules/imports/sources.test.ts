import { describe, expect, it } from 'vitest'
import type { ImportedLink } from './import-rules.ts'
import { readImport } from './read-import.ts'

const MAY = Date.parse('2024-05-06T07:08:09Z')

const read = (file: string, named?: string) => {
  const links: ImportedLink[] = []
  const summary = readImport(Buffer.from(file), { source: named }, (link) => links.push(link))
  return { source: summary.source, problems: summary.problems, links }
}

/** The content of the one link in every file below. */
const spring = {
  input: expect.objectContaining({ link: 'https://example.com/a?b=1,2' }),
  shortCode: 'spring',
  isCustom: true,
  isForeign: true,
}

const files: [name: string, file: string, more: object][] = [
  [
    'bitly',
    'Title,Link,Long URL,Created,Clicks,Tags,Notes\nSpring,https://bit.ly/spring,"https://example.com/a?b=1,2",2024-05-06 07:08:09,"1,234",shop,x\n',
    { host: 'bit.ly', clicks: 1234, createdAtMs: MAY },
  ],
  [
    'bitly',
    JSON.stringify({
      links: [
        {
          id: 'bit.ly/spring',
          link: 'https://bit.ly/spring',
          long_url: 'https://example.com/a?b=1,2',
          title: 'Spring',
          tags: ['shop'],
          created_at: '2024-05-06T07:08:09+0000',
          archived: false,
          custom_bitlinks: ['https://bit.ly/spring', 'http://go.test/Sale'],
        },
      ],
      pagination: { total: 1 },
    }),
    { host: 'bit.ly', createdAtMs: MAY, earlierCodes: ['go.test/Sale'] },
  ],
  [
    'bitly',
    'Link,Long URL,Custom back-half(s),Engagements,Date created\nbit.ly/spring,"https://example.com/a?b=1,2","sale, bit.ly/spring, go.test/Sale","1,234",2024-05-06\n',
    { host: 'bit.ly', clicks: 1234, earlierCodes: ['sale', 'go.test/Sale'] },
  ],
  [
    'dub',
    'Short link,Destination URL,Clicks,Created at,Leads,Tags,Archived\nhttps://dub.sh/spring,"https://example.com/a?b=1,2",7,2024-05-06T07:08:09.000Z,0,"shop, sale",false\n',
    { host: 'dub.sh', clicks: 7, createdAtMs: MAY },
  ],
  [
    'dub',
    JSON.stringify([
      {
        id: 'x',
        domain: 'dub.sh',
        key: 'spring',
        url: 'https://example.com/a?b=1,2',
        shortLink: 'https://dub.sh/spring',
        clicks: 7,
        createdAt: '2024-05-06T07:08:09.000Z',
        tags: [{ id: 't', name: 'shop' }],
      },
    ]),
    { host: 'dub.sh', clicks: 7, createdAtMs: MAY },
  ],
  [
    'kutt',
    JSON.stringify({
      total: 1,
      data: [
        {
          address: 'spring',
          target: 'https://example.com/a?b=1,2',
          description: 'd',
          created_at: '2024-05-06T07:08:09.000Z',
          expire_in: null,
          visit_count: 9,
          domain: null,
          banned: false,
          password: true,
          link: 'https://kutt.it/spring',
        },
      ],
    }),
    { clicks: 9, isProtected: true, host: 'kutt.it' },
  ],
  [
    'yourls',
    'keyword,url,title,timestamp,ip,clicks\nspring,"https://example.com/a?b=1,2",Spring,2024-05-06 07:08:09,10.0.0.1,3\n',
    { clicks: 3, createdAtMs: MAY, host: null },
  ],
  ['yourls', 'source,target,hits\nspring,"https://example.com/a?b=1,2",3\n', { clicks: 3 }],
  [
    'yourls',
    "-- MySQL dump\nINSERT INTO `yourls_options` VALUES (1,'a','b');\nINSERT INTO `yourls_url` (`keyword`, `url`, `title`, `timestamp`, `ip`, `clicks`) VALUES\n('spring','https://example.com/a?b=1,2','It\\'s; (a) \\\"title\\\"','2024-05-06 07:08:09','10.0.0.1',3);\n",
    { line: 4, clicks: 3, createdAtMs: MAY, input: expect.objectContaining({ title: `It's; (a) "title"` }) },
  ],
  [
    'rebrandly',
    JSON.stringify([
      {
        id: 'x',
        slashtag: 'spring',
        destination: 'https://example.com/a?b=1,2',
        title: 'Spring',
        tags: [{ name: 'shop' }],
        domain: { id: 'd', fullName: 'rebrand.ly' },
        createdAt: '2024-05-06T07:08:09.000Z',
        clicks: 4,
      },
    ]),
    { host: 'rebrand.ly', clicks: 4, createdAtMs: MAY },
  ],
  [
    'short.io',
    JSON.stringify({
      count: 1,
      links: [
        {
          path: 'spring',
          originalURL: 'https://example.com/a?b=1,2',
          iphoneURL: 'https://example.com/ios',
          androidURL: null,
          tags: ['shop'],
          archived: false,
          createdAt: '2024-05-06T07:08:09.000Z',
        },
      ],
    }),
    { input: expect.objectContaining({ ios_url: 'https://example.com/ios' }), createdAtMs: MAY },
  ],
  [
    'shlink',
    'Long URL,Short code,Title,Domain,Tags\n"https://example.com/a?b=1,2",spring,Spring,s.test,shop|sale\n',
    { host: 's.test' },
  ],
  [
    'shlink',
    'createdAt,domain,shortCode,shortUrl,longUrl,title,tags,visits\n2024-05-06T07:08:09+00:00,s.test,spring,https://s.test/spring,"https://example.com/a?b=1,2",Spring,shop|sale,12\n',
    { host: 's.test', clicks: 12, createdAtMs: MAY },
  ],
  [
    'tinyurl',
    'TinyURL,Long URL,Created At\nhttps://tinyurl.com/spring,"https://example.com/a?b=1,2","May 6, 2024"\n',
    { host: 'tinyurl.com', createdAtMs: Date.parse('2024-05-06T00:00:00Z') },
  ],
]

describe('files of other services', () => {
  it.each(files)('%s: keeps destination, short code and other fields (%#)', (source, file, more) => {
    const read1 = read(file)
    expect(read1.problems.filter(({ skipped }) => skipped)).toEqual([])
    expect(read1.source).toBe(source)
    const { input, ...rest } = spring
    expect(read1.links).toEqual([expect.objectContaining({ ...rest, ...more })])
    expect(read1.links[0]?.input).toEqual(input)
  })

  it('converts the destinations by country of Dub into rules', () => {
    const dub = (geo: unknown) =>
      read(JSON.stringify([{ shortLink: 'https://dub.sh/a', key: 'a', url: 'https://example.com/', geo }]))
    const { links, problems } = dub({
      DE: 'https://example.com/de',
      US: 'https://example.com/us',
      AT: 'https://example.com/de',
    })
    expect(problems).toEqual([])
    expect(links[0]?.input.rules).toEqual([
      { if: { country: ['DE', 'AT'] }, to: 'https://example.com/de' },
      { if: { country: ['US'] }, to: 'https://example.com/us' },
    ])
    expect(dub(null)).toMatchObject({ problems: [], links: [{ input: { link: 'https://example.com/' } }] })
    expect(dub('all').problems).toMatchObject([
      { column: 'geo', message: 'Must be an object of countries and destinations' },
    ])
    expect(dub({ DE: 'nonsense' }).problems).toMatchObject([
      { column: 'geo', message: 'Must be a valid http or https URL', skipped: true },
    ])
    const codes = 'AT BE BG CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IT LT LU LV MT NL'.split(' ')
    const many = dub(Object.fromEntries(codes.map((code) => [code, `https://example.com/${code}`])))
    expect(many.links[0]?.input.rules).toHaveLength(20)
    expect(many.problems).toMatchObject([
      { column: 'geo', message: 'A link has at most 20 rules: 3 countries are left out', skipped: false },
    ])
    const csv = read(
      'Short link,Destination URL,Geo\nhttps://dub.sh/a,https://example.com/,"{""FR"":""https://example.com/fr""}"\n',
    )
    expect(csv.links[0]?.input.rules).toEqual([{ if: { country: ['FR'] }, to: 'https://example.com/fr' }])
  })

  it('reads browser bookmarks, and the reading list of Pocket', () => {
    const { source, links } = read(
      '<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n<DT><H3>Folder</H3>\n<DT><A HREF="https://example.com/?a=1&amp;b=2" ADD_DATE="1714979289" TAGS="shop,sale">A &lt;title&gt;</A>\n<DT><A HREF="javascript:alert(1)">no</A>\n<li><a href="https://example.org/" time_added="1714979289" tags="">B</a>\n</DL>',
    )
    expect(source).toBe('bookmarks')
    expect(links).toMatchObject([
      {
        line: 4,
        input: { link: 'https://example.com/?a=1&b=2', title: 'A <title>', tags: ['shop', 'sale'] },
        createdAtMs: MAY,
      },
      { line: 6, input: { link: 'https://example.org/', title: 'B' }, shortCode: null },
    ])
    const pocket = read('title,url,time_added,tags,status\nA,https://example.com/,1714979289,a|b,unread\n')
    expect([pocket.source, pocket.links[0]?.createdAtMs]).toEqual(['pocket', MAY])
  })

  it('reads bookmarks with single quotes, a title of 255 emoji, and times of browsers', () => {
    const anchor = (attributes: string, title: string) => `<DT><A ${attributes}>${title}</A>\n`
    const { links, problems } = read(
      '<!DOCTYPE NETSCAPE-Bookmark-file-1>\n' +
        anchor(`HREF='https://example.com/?q="a"' ADD_DATE='0'`, '😀'.repeat(256)) +
        anchor('HREF="https://example.com/it\'s" ADD_DATE="1714979289000000"', `a${'😀'.repeat(255)}`),
    )
    expect(problems).toEqual([])
    expect(links.map(({ input }) => [input.link, input.title])).toEqual([
      ['https://example.com/?q=%22a%22', '😀'.repeat(255)],
      ["https://example.com/it's", `a${'😀'.repeat(254)}`],
    ])
    expect(links.map(({ createdAtMs }) => createdAtMs)).toEqual([null, MAY])
  })

  it('reads flags and spaces of spreadsheets, and unknown times of databases', () => {
    const { source, links, problems } = read(
      'Path,Original URL,Archived,Created At\n' +
        'a,https://example.com/,TRUE,0000-00-00 00:00:00\n b ,https://example.com/, False ,0\n',
    )
    expect([source, problems]).toEqual(['short.io', []])
    expect(links).toMatchObject([
      { shortCode: 'a', createdAtMs: null, input: { archived: true } },
      { shortCode: 'b', createdAtMs: null, input: { archived: false } },
    ])
    expect(read('link,archived\nhttps://example.com/,perhaps\n').problems).toMatchObject([
      { column: 'archived', message: 'Must be true or false' },
    ])
  })

  it('treats the host of a short URL as another service, and reports the column of an invalid one', () => {
    const own = 'Destination;Short link\nhttps://example.com/;https://x.test/spring\n'
    expect(read(own)).toMatchObject({
      source: 'generic',
      links: [{ host: 'x.test', shortCode: 'spring', isForeign: true }],
    })
    expect(read('link,domain,short_url\nhttps://example.com/,y.test,https://x.test/a\n').links).toMatchObject(
      [{ host: 'y.test', shortCode: 'a', isForeign: false }],
    )
    const wrong = read('Short link,Destination URL\nhttps://dub.sh/a/b,https://example.com/\n')
    expect(wrong.problems).toMatchObject([{ line: 2, column: 'Short link' }])
  })

  it('reads several inserts of a dump, and reports where it is truncated', () => {
    const insert = (keyword: string) =>
      `INSERT INTO yourls_url VALUES ('${keyword}','https://example.com/','',NULL,'',0),('${keyword}2','https://example.com/','t''s','2024-05-06 07:08:09','',1);\n`
    expect(read(`-- dump\n${insert('a')}${insert('b')}`).links.map(({ shortCode }) => shortCode)).toEqual([
      'a',
      'a2',
      'b',
      'b2',
    ])
    const locked = `LOCK TABLES x WRITE;\n${insert('a').replace('INSERT', 'INSERT IGNORE')}`
    for (const dump of [locked, locked.replace('INSERT IGNORE', 'REPLACE')])
      expect(read(dump, 'yourls').links.map(({ shortCode }) => shortCode)).toEqual(['a', 'a2'])
    expect(() => read("-- dump\nINSERT INTO yourls_url VALUES ('a','https://exam")).toThrow(
      'This SQL dump is truncated',
    )
  })

  it('leaves out links that Kutt has banned, and lists them', () => {
    const items = [true, false, 1, null].map((banned, n) => ({
      address: `a${n}`,
      target: 'https://a.example/',
      banned,
    }))
    const { links, problems } = read(JSON.stringify({ data: items }))
    expect(links.map(({ shortCode }) => shortCode)).toEqual(['a1', 'a3'])
    const message = 'The original service has banned this link: it is skipped'
    expect(problems).toEqual([1, 3].map((line) => ({ line, column: 'banned', message, skipped: true })))
  })

  it('rejects invalid JSON, and JSON without links', () => {
    expect(() => read('{"links":[')).toThrow('Must be valid JSON')
    expect(() => read('{"links":[]}')).toThrow('Must contain a list of links')
    expect(() => read('[{"url":"https://example.com/"},{"url":tru}]')).toThrow('Must be valid JSON')
    expect(() => read('[{"colour":"red"}]')).toThrow(
      'There is no field with the destination of a link. Fields found: colour',
    )
  })

  it('rejects items, attributes and tuples of more than 200 values, before it parses the rest', () => {
    const some = (count: number, value: (n: number) => string): string =>
      Array.from({ length: count }, (_, n) => value(n)).join()
    const item = (count: number): string =>
      `[{"url":"https://example.com/",${some(count - 1, (n) => `"a${n}":1`)}}]`
    expect(read(item(200)).links).toHaveLength(1)
    expect(() => read(item(201))).toThrow('Item 1: Must have at most 200 fields')
    const nested = `[{"url":"https://example.com/"},{"a":{${some(201, (n) => `"b${n}":1`)}}}]`
    expect(() => read(nested)).toThrow('Item 2: Must have at most 200 fields')
    const anchor = (count: number): string =>
      `<html>\n<a ${'x=1 '.repeat(count - 1)}href="https://example.com/">x</a>`
    expect(read(anchor(200)).links).toHaveLength(1)
    expect(() => read(anchor(201))).toThrow('Line 2: Must have at most 200 attributes')
    const dump = (count: number): string =>
      `-- dump\nINSERT INTO yourls_url VALUES ('a','https://example.com/',${some(count - 2, () => '0')}`
    expect(read(`${dump(200)})`).links).toHaveLength(1)
    expect(() => read(dump(202))).toThrow('Line 2: Must have at most 200 columns')
    const named = `-- dump\nINSERT INTO yourls_url (${some(201, (n) => `a${n}`)}) VALUES (1)`
    expect(() => read(named)).toThrow('Line 2: Must have at most 200 columns')
    const text = `-- dump\nINSERT INTO yourls_url VALUES ('${"''".repeat((1 << 20) + 2)}`
    expect(() => read(text)).toThrow('A text must have at most 1,048,576 characters')
  })

  it('reads a bookmark whose address or title is too long as one with a mistake', () => {
    const long = `<html><a href="https://example.com/${'&amp;'.repeat(100_000)}">x</a>`
    expect(read(long).problems).toMatchObject([{ message: 'Must be at most 2048 characters' }])
    const titled = `<html><a href="https://example.com/">${'&amp;'.repeat(100_000)}</a>`
    expect(read(titled).links[0]?.input.title).toBe('&'.repeat(255))
  })

  /** Processor time of this thread, which does not include other load on the machine. */
  const cpuMs = (text: string): number => {
    const before = process.threadCpuUsage()
    try {
      read(text)
    } catch {
      // Only the time matters.
    }
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1000
  }
  const bestMs = (text: string): number => Math.min(cpuMs(text), cpuMs(text), cpuMs(text))
  const growth = (piece: string, head: string): number =>
    bestMs(head + piece.repeat(20_000)) / Math.max(bestMs(head + piece.repeat(2_000)), 2)

  it.each([
    ['tags that never close', '<a <a ', '<html>'],
    ['anchors on one line', '<a href="https://a.example/">x</a>', '<html>'],
    ['unclosed attributes', '<a href="x ', '<html>'],
    ['unclosed single quotes', "<a href='x ", '<html>'],
    ['inserts without end', 'INSERT INTO yourls_url ', '-- dump\n'],
    [
      'tuples on one line',
      "('a','https://a.example/','','','',0),",
      '-- dump\nINSERT INTO yourls_url VALUES ',
    ],
    ['quotes', '"', 'link\n'],
    ['items', '{"url":"https://a.example/"},', '['],
    ['texts', '\\"', '[{"url":"'],
  ])('takes time linear in a file of %s', (_name, piece, head) => {
    // Ten times the text: quadratic work would take a hundred times as long.
    expect(growth(piece, head)).toBeLessThan(50)
  })
})
