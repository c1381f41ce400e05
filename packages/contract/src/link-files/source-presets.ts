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

/** How to read the files of one service. Names are without capitals, spaces and punctuation. */
interface Preset {
  readonly name: ImportSource
  /** A file is from this service if it has all columns of one of these lists. */
  readonly needs: readonly (readonly string[])[]
  readonly columns: Readonly<Record<string, Meaning>>
  readonly tagSeparator?: RegExp
}

/** How to read the columns of a file. */
export interface Reading {
  readonly source: string
  readonly tagSeparator: RegExp
  readonly columnOf: (name: string) => Column
  /** Parses a cell of a CSV file; lists in our own exports have their own format. */
  readonly valueOf: (meaning: Meaning, cell: string) => unknown
}

const COMMA = /,/
const BAR = /\|/
const ANY = /[,;|]/

/** The same word has different meanings in different services, so the whole header is checked before a column is read. */
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

/** Columns that only our own exports have together. */
const WAYMARK_NEEDS = ['link', 'code', 'shorturl', 'haspassword']

/** Names of columns in files without a preset, besides those of `OwnColumns`. */
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

/** All names for "has a password": such a link must never redirect without one here. */
const protections: Readonly<Record<string, Meaning>> = Object.fromEntries(
  ['haspassword', 'passwordprotected', 'ispasswordprotected', 'protected', 'isprotected'].map((name) => [
    name,
    'has_password',
  ]),
)
/** Services write whether a link has a password, or its hash, but not the password itself. */
const foreignProtections: Readonly<Record<string, Meaning>> = { ...protections, password: 'has_password' }

const isKnown = (meaning: Meaning, { names }: OwnColumns): boolean =>
  (importFacts as readonly string[]).includes(meaning) || names.includes(meaning)

/** A column could be called `constructor`, which every object has. */
const meaningIn = (columns: Readonly<Record<string, Meaning>>, name: string): Meaning | undefined =>
  Object.hasOwn(columns, squashed(name)) ? columns[squashed(name)] : undefined

/** Chooses the preset by the header, unless the caller has specified one, and applies the caller's columns. */
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

/** The caller's choice for a column overrides its name, and any other column of that meaning. */
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

/** Our own exports, and files that people created themselves: `OwnColumns` has the names of columns. */
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
