import { z } from 'zod'
import { MOST_COLUMNS } from '../csv/index.ts'
import { IMPORT_FILE_BYTES } from '../uploads.ts'
import { ListQuery, list, resourceTexts, success, time } from './responses.ts'
import { described, named } from './described.ts'
import { opaque, textFile, uuid } from './fields.ts'
import { Link, LinkImport } from './links.ts'

/** The services whose files are recognised by their columns. */
const importSources = [
  'waymark',
  'bitly',
  'dub',
  'kutt',
  'rebrandly',
  'short.io',
  'shlink',
  'yourls',
  'tinyurl',
  'pocket',
  'bookmarks',
  'generic',
] as const

export type ImportSource = (typeof importSources)[number]

/** Properties of a link in files besides the fields of a new link. */
export const importFacts = [
  'code',
  'short_url',
  'created_at',
  'clicks',
  'imported_clicks',
  'has_password',
  'banned',
  'earlier_codes',
  'geo',
] as const

/** Possible meanings of a column. */
const importFields = new Set<string>([...Object.keys(LinkImport.shape), ...importFacts])

const columnField = opaque().refine((field) => importFields.has(field), 'Must be a field of a link')

const onTaken = z.enum(['skip', 'rename', 'fail'])

const optionTexts = {
  on_taken:
    'What to do if a short code is taken: `skip` the link, `rename` it (a random short code), or `fail` (nothing is imported). Default: `fail` for custom short codes, `rename` for random ones.',
  domain:
    'The domain for links whose host is not one of your domains. Default: the host of this instance for files of other services; in your own files an unknown domain is an error.',
}

const options = { on_taken: onTaken.nullish(), domain: opaque(255).nullish() }

const ImportProblem = named(
  'ImportProblem',
  'A remark about a row of an imported file.',
  z.object(
    described(
      {
        line: 'The line of the file, or the number of the item in a JSON list.',
        column: 'The column name in the file; null for the whole row.',
        message: 'What is wrong, or what was done.',
        skipped: 'Whether the row is skipped.',
      },
      { line: z.int(), column: z.string().nullable(), message: z.string(), skipped: z.boolean() },
    ),
  ),
)

const columnTexts = {
  column: 'The column name in the file.',
  field: 'The field; null: the column is ignored.',
}

const ImportColumn = named(
  'ImportColumn',
  'A column of an imported file and its field.',
  z.object(described(columnTexts, { column: z.string(), field: z.string().nullable() })),
)

/** The caller's choices for columns, in the form of responses. */
const columnChoices = z
  .array(z.object(described(columnTexts, { column: opaque(), field: columnField.nullable() })))
  .max(MOST_COLUMNS)
  .refine((columns) => isDistinct(columns.map(({ column }) => column)), 'Must name each column once')
  .refine(
    (columns) => isDistinct(columns.flatMap(({ field }) => field ?? [])),
    'Must give each field to one column',
  )

const isDistinct = (names: readonly string[]): boolean => new Set(names).size === names.length

const ImportRow = named(
  'ImportRow',
  'A link of an imported file, as it will be created.',
  z.object(
    described(
      {
        line: 'Where it is in the file.',
        link: 'The destination.',
        short_code: 'The short code; null: a random one.',
        title: 'Its title.',
        tag: 'Its first tag.',
        created_at: 'When it was created at the other service.',
        clicks: 'Clicks counted at the other service.',
      },
      {
        line: z.int(),
        link: z.string(),
        short_code: z.string().nullable(),
        title: z.string().nullable(),
        tag: z.string().nullable(),
        created_at: time.nullable(),
        clicks: z.int(),
      },
    ),
  ),
)

/** An import in responses. */
const Import = named(
  'Import',
  'An import of short links.',
  z.object(
    described(
      {
        ...resourceTexts,
        ...optionTexts,
        state:
          '`ready`: waits for `/v1/run-import`, until `runnable_until` or the next preview. `running`. `done`. `failed`: `error` gives the reason, and no links were created. `undoing`. `undone`.',
        runnable_until:
          'Until when `/v1/run-import` can start it: 24 hours after a preview, or after it failed (ISO 8601, UTC). Null: it cannot be started.',
        source: 'The service that the file is from, detected by its columns.',
        filename: 'The name of the file.',
        total: 'Links in the file.',
        processed: 'Links processed so far, of `importable`.',
        importable:
          'Valid links of the file; a preview also excludes links whose domain does not exist here.',
        taken:
          'Links of `importable` whose short code is taken, or is that of an earlier link of the file; counted by a preview, and before an import that fails because of them.',
        created: 'Links created.',
        skipped: 'Links skipped because their short code or domain could not be used.',
        renamed: 'Links created with another short code because theirs was taken.',
        columns: 'The columns of the file and their fields.',
        rows: 'The first links, as they will be created.',
        problems: 'The first 1,000 problems, by line.',
        problem_count: 'Number of all problems.',
        error: 'Why the import failed; null otherwise.',
        finished_at: 'When it was done, failed or undone (ISO 8601, UTC).',
      },
      {
        uuid: z.string(),
        state: z.enum(['ready', 'running', 'done', 'failed', 'undoing', 'undone']),
        source: z.string(),
        filename: z.string(),
        on_taken: onTaken.nullable(),
        domain: z.string().nullable(),
        total: z.int(),
        importable: z.int(),
        taken: z.int(),
        processed: z.int(),
        created: z.int(),
        skipped: z.int(),
        renamed: z.int(),
        columns: z.array(ImportColumn),
        rows: z.array(ImportRow),
        problems: z.array(ImportProblem),
        problem_count: z.int(),
        error: z.string().nullable(),
        runnable_until: time.nullable(),
        created_at: time,
        updated_at: time,
        finished_at: time.nullable(),
      },
    ),
  ),
)

/** Body, query and response of every operation on imports. */
export const importSchemas = {
  importLinks: {
    body: z.object(
      described(
        {
          ...optionTexts,
          file: 'The file, up to 32 MiB: CSV or JSON in UTF-8 or Windows-1252, bookmarks as HTML, or an SQL dump of YOURLS.',
          source: 'The service that the file is from. Default: detected by its columns.',
          columns:
            'The fields of columns that are not recognised by name: `link`, `customLink` and the other fields of a new link, `created_at`, `clicks`, `short_url` and so on; null ignores a column. Columns that are left out are detected.',
          preview:
            'Only read the file. `/v1/run-import` then starts the import. A preview replaces the previous one.',
          background:
            'Import in the background and skip rows with problems. Always on for files of more than 1,000 links. Otherwise all links are created at once, or none.',
        },
        {
          file: textFile('text/csv', IMPORT_FILE_BYTES),
          source: z.enum(importSources).nullish(),
          columns: columnChoices.nullish(),
          ...options,
          preview: z.boolean().nullish(),
          background: z.boolean().nullish(),
        },
      ),
    ),
    response: success(
      z.array(Link).meta({ description: 'The new links; empty for a preview or in the background.' }),
    ).extend({ import: Import.meta({ description: 'The import, to follow, run or undo it.' }) }),
  },
  imports: { query: ListQuery.omit({ search: true }), response: list(Import) },
  runImport: { body: z.object({ uuid, ...described(optionTexts, options) }), response: success(Import) },
  undoImport: { body: z.object({ uuid }), response: success(Import) },
}
