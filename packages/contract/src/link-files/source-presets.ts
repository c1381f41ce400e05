import { importFacts, type ImportSource } from '../schemas/imports.ts'
import {
  type Column,
  ImportFileFault,
  listed,
  type Meaning,
  type OwnColumns,
  type ReadingOptions,
  shortened,
  squashed,
} from './raw-row.ts'

/** How the files of one service are read. Names are written without capitals, spaces and punctuation. */
interface Preset {
  readonly name: ImportSource
  /** A file is of this service if it has all columns of one of these lists. */
  readonly needs: readonly (readonly string[])[]
  readonly columns: Readonly<Record<string, Meaning>>
  readonly tagSeparator?: RegExp
}

/** Says how the columns of a file are to be read. */
export interface Reading {
  readonly source: string
  readonly tagSeparator: RegExp
  readonly columnOf: (name: string) => Column
  /** What a cell of a CSV file holds; lists of our own exports are written in their own way. */
  readonly valueOf: (meaning: Meaning, cell: string) => unknown
}

const COMMA = /,/
const BAR = /\|/
const ANY = /[,;|]/

/** The same word means different things at different services, so the whole header decides before a column is read. */
const presets: readonly Preset[] = [
  {
    name: 'shlink',
    needs: [['longurl', 'shortcode']],
    columns: {
      longurl: 'link',
      shortcode: 'code',
      shorturl: 'short_url',
      title: 'title',
      domain: 'domain',
      tags: 'tags',
      createdat: 'created_at',
      datecreated: 'created_at',
      visits: 'clicks',
      visitscount: 'clicks',
      visitssummarytotal: 'clicks',
      metavaliduntil: 'expire',
      metamaxvisits: 'max_clicks',
    },
    tagSeparator: BAR,
  },
  {
    name: 'dub',
    needs: [
      ['shortlink', 'destinationurl'],
      ['shortlink', 'url'],
    ],
    columns: {
      shortlink: 'short_url',
      destinationurl: 'link',
      url: 'link',
      key: 'code',
      domain: 'domain',
      title: 'title',
      clicks: 'clicks',
      createdat: 'created_at',
      tags: 'tags',
      archived: 'archived',
      expiresat: 'expire',
      ios: 'ios_url',
      android: 'android_url',
      geo: 'geo',
      comments: 'description',
    },
  },
  {
    name: 'kutt',
    needs: [['address', 'target']],
    columns: {
      address: 'code',
      target: 'link',
      link: 'short_url',
      description: 'description',
      createdat: 'created_at',
      expirein: 'expire',
      visitcount: 'clicks',
      domain: 'domain',
      banned: 'banned',
    },
  },
  {
    name: 'yourls',
    needs: [
      ['keyword', 'url'],
      ['source', 'target', 'hits'],
      ['shorturl', 'url', 'timestamp'],
    ],
    columns: {
      keyword: 'code',
      source: 'code',
      shorturl: 'short_url',
      url: 'link',
      target: 'link',
      title: 'title',
      timestamp: 'created_at',
      clicks: 'clicks',
      hits: 'clicks',
    },
  },
  {
    name: 'rebrandly',
    needs: [['slashtag', 'destination']],
    columns: {
      slashtag: 'code',
      destination: 'link',
      title: 'title',
      tags: 'tags',
      domain: 'domain',
      domainfullname: 'domain',
      domainname: 'domain',
      shorturl: 'short_url',
      createdat: 'created_at',
      clicks: 'clicks',
    },
  },
  {
    name: 'short.io',
    needs: [['path', 'originalurl']],
    columns: {
      path: 'code',
      originalurl: 'link',
      shorturl: 'short_url',
      secureshorturl: 'short_url',
      domain: 'domain',
      title: 'title',
      iphoneurl: 'ios_url',
      androidurl: 'android_url',
      tags: 'tags',
      archived: 'archived',
      createdat: 'created_at',
      expiresat: 'expire',
      clicks: 'clicks',
      clicklimit: 'max_clicks',
    },
  },
  {
    name: 'tinyurl',
    needs: [
      ['tinyurl', 'longurl'],
      ['tinyurl', 'url'],
      ['tinyurl', 'alias'],
    ],
    columns: {
      tinyurl: 'short_url',
      alias: 'code',
      longurl: 'link',
      url: 'link',
      destination: 'link',
      domain: 'domain',
      title: 'title',
      description: 'description',
      tags: 'tags',
      archived: 'archived',
      createdat: 'created_at',
      expiresat: 'expire',
      clicks: 'clicks',
      hits: 'clicks',
    },
  },
  {
    name: 'bitly',
    needs: [
      ['link', 'longurl'],
      ['id', 'longurl'],
      ['bitlink', 'longurl'],
    ],
    columns: {
      link: 'short_url',
      bitlink: 'short_url',
      id: 'short_url',
      longurl: 'link',
      title: 'title',
      tags: 'tags',
      created: 'created_at',
      createdat: 'created_at',
      datecreated: 'created_at',
      clicks: 'clicks',
      totalclicks: 'clicks',
      engagements: 'clicks',
      totalengagements: 'clicks',
      archived: 'archived',
      custombitlinks: 'earlier_codes',
      custombackhalf: 'earlier_codes',
      custombackhalfs: 'earlier_codes',
      custombackhalves: 'earlier_codes',
    },
  },
  {
    name: 'pocket',
    needs: [['url', 'timeadded']],
    columns: { url: 'link', title: 'title', timeadded: 'created_at', tags: 'tags' },
    tagSeparator: BAR,
  },
]

/** Columns that an export of ours alone has together. */
const WAYMARK_NEEDS = ['link', 'code', 'shorturl', 'haspassword']

/** What the columns of files without a preset are called besides the names of `OwnColumns`. */
const genericExtras: Readonly<Record<string, Meaning>> = {
  code: 'code',
  backhalf: 'customLink',
  alias: 'customLink',
  shorturl: 'short_url',
  shortlink: 'short_url',
  createdat: 'created_at',
  created: 'created_at',
  datecreated: 'created_at',
  clicks: 'clicks',
  visits: 'clicks',
  hits: 'clicks',
  importedclicks: 'imported_clicks',
  earliercodes: 'earlier_codes',
}

/** However a file says that a link asks for a password: it must never lead everyone to its destination here. */
const protections: Readonly<Record<string, Meaning>> = Object.fromEntries(
  ['haspassword', 'passwordprotected', 'ispasswordprotected', 'protected', 'isprotected'].map((name) => [
    name,
    'has_password',
  ]),
)
/** A service writes there whether a link has a password, or a hash of it, and not the password. */
const foreignProtections: Readonly<Record<string, Meaning>> = { ...protections, password: 'has_password' }

const isKnown = (meaning: Meaning, { names }: OwnColumns): boolean =>
  (importFacts as readonly string[]).includes(meaning) || names.includes(meaning)

/** A column may be called `constructor`, which every object has. */
const meaningIn = (columns: Readonly<Record<string, Meaning>>, name: string): Meaning | undefined =>
  Object.hasOwn(columns, squashed(name)) ? columns[squashed(name)] : undefined

/** Chooses the preset by the header, unless the caller has named one, and what the caller says about columns. */
export function readingOf(
  names: readonly string[],
  own: OwnColumns,
  { source, columns }: ReadingOptions,
): Reading {
  const reading = detected(names, own, source ?? undefined)
  return columns == null || columns.length === 0 ? reading : mapped(reading, names, columns)
}

function detected(names: readonly string[], own: OwnColumns, named: string | undefined): Reading {
  const present = new Set(names.map(squashed))
  const hasAll = (needed: readonly string[]): boolean => needed.every((name) => present.has(name))
  if (named === 'waymark' || (named === undefined && hasAll(WAYMARK_NEEDS))) return ownReading('waymark', own)
  const preset = presets.find(({ name, needs }) =>
    named === undefined ? needs.some(hasAll) : name === named,
  )
  return preset === undefined ? ownReading('generic', own) : foreign(preset, own)
}

/** What the caller says about a column counts more than its name, and more than another column of that meaning. */
function mapped(
  reading: Reading,
  names: readonly string[],
  choices: NonNullable<ReadingOptions['columns']>,
): Reading {
  const chosen = new Map<string, Meaning | undefined>()
  for (const { column, field } of choices) {
    const name =
      names.find((each) => shortened(each) === shortened(column)) ??
      names.find((each) => squashed(each) === squashed(column))
    if (name === undefined)
      throw new ImportFileFault(
        `There is no column ${shortened(column)}. Columns found: ${listed(names)}`,
        'columns',
      )
    chosen.set(name, field ?? undefined)
  }
  const meanings = new Set(chosen.values())
  return {
    ...reading,
    columnOf: (name) => {
      const column = reading.columnOf(name)
      if (chosen.has(name)) return { ...column, meaning: chosen.get(name) }
      return column.meaning !== undefined && meanings.has(column.meaning)
        ? { ...column, meaning: undefined }
        : column
    },
  }
}

function foreign({ name, columns, tagSeparator = COMMA }: Preset, own: OwnColumns): Reading {
  return {
    source: name,
    tagSeparator,
    valueOf: (_meaning, cell) => cell,
    columnOf: (column) => {
      const meaning = meaningIn(columns, column) ?? meaningIn(foreignProtections, column)
      return {
        name: shortened(column),
        meaning: meaning !== undefined && isKnown(meaning, own) ? meaning : undefined,
      }
    },
  }
}

/** Our own exports, and files that people made themselves: `OwnColumns` says what the columns are called. */
function ownReading(source: 'waymark' | 'generic', own: OwnColumns): Reading {
  return {
    source,
    tagSeparator: ANY,
    valueOf: (meaning, cell) => (own.names.includes(meaning) ? own.readCell(meaning, cell) : cell),
    columnOf: (column) => {
      const field = own.nameOfHeader(column)
      const meaning = field ?? meaningIn(genericExtras, column) ?? meaningIn(protections, column)
      return { name: shortened(column), meaning, isExpected: field === null }
    },
  }
}
