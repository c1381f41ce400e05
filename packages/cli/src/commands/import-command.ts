import { basename } from 'node:path'
import {
  type Client,
  type FilePreview,
  followImport,
  type Import,
  type ImportedFile,
  importFile,
  type ImportFileOptions,
  type ImportFileProgress,
  type Input,
  previewFile,
} from '@waymark/sdk'
import type { Command } from 'commander'
import { connect } from '../credentials.ts'
import type { Fields } from '../operations/call.ts'
import { addFields, type Field, fieldsOf, inputOf } from '../operations/fields.ts'
import { openFile } from '../operations/files.ts'
import { print, type Printed } from '../print.ts'
import { jsonOption, line, type Output, ProgressBar, shown, table, UsageError } from '../terminal/index.ts'
import { withExamples } from './examples.ts'

const SHOWN_PROBLEMS = 20

type Options = Output &
  Fields & {
    readonly from?: string
    readonly sql?: string
    readonly map?: readonly string[]
    readonly run?: string
    readonly undo?: readonly string[]
    readonly again?: boolean
  }

/** waymark import */
export function addImport(program: Command): void {
  const fields = fieldsOf('importLinks').map((field) =>
    field.name === 'source' ? { ...field, flag: 'from' } : field,
  )
  const sources = fields.find(({ name }) => name === 'source')?.choices ?? []
  const command = program
    .command('import')
    .description('import short links from a file: another service, a spreadsheet or a Waymark export')
    .argument('[file]', 'CSV, JSON, HTML bookmarks or an SQL dump of YOURLS')
    .option(
      `--from <service>`,
      `where the file is from: ${sources.join(', ')}. Default: detected by its columns.`,
    )
    .option('--sql <path>', 'an SQL dump of YOURLS')
    .option(
      '--map <column=field>',
      'assign a column to a field; can be repeated',
      (one: string, before: readonly string[] | undefined) => [...(before ?? []), one],
    )
    .option('--run <uuid>', 'run a previewed import, or repeat a failed one')
    .option('--again', 'import all parts of a file over 32 MiB again')
    .option('--undo <uuid...>', 'stop an import and remove every short link that it created')
  addFields(command, fields, ['file', 'source', 'columns', 'background'])
  command.addOption(jsonOption)
  withExamples(command, [
    'waymark import links.csv --preview',
    'waymark import --run UUID --on-taken skip',
    'waymark import links.csv --map "Long link=link" --map "Name=title"',
    'waymark import --from yourls --sql dump.sql',
    'waymark import --undo UUID',
  ]).action((file: string | undefined, options: Options) =>
    print(options, () => run(fields, file ?? options.sql, options)),
  )
}

async function run(fields: readonly Field[], path: string | undefined, options: Options): Promise<Printed> {
  const client = await connect()
  const bar = process.stderr.isTTY && options.json !== true ? new ProgressBar() : undefined
  if (options.undo !== undefined) return undo(client, options.undo, bar)
  const source = options.from === undefined ? {} : { source: options.from }
  const { preview, ...input } = inputOf(fields, { ...options, ...source })
  if (options.run !== undefined) return runPreview(client, { ...input, uuid: options.run }, bar)
  if (path === undefined) throw new UsageError('Missing <file>')
  const columns = options.map === undefined ? {} : { columns: options.map.map(columnOf) }
  const settings = { ...input, ...columns, name: basename(path), again: options.again }
  const file = await openFile(path)
  return preview === true
    ? lookAt(await previewFile(client, file, { ...settings, ...uploadBar(bar) }))
    : importAll(client, file, settings, bar)
}

/** Parses `Long link=link`: the column may contain `=`, the field may not. An empty field ignores the column. */
function columnOf(text: string): { column: string; field: string | null } {
  const at = text.lastIndexOf('=')
  if (at < 1) throw new UsageError('--map must be written as "COLUMN=FIELD"')
  return { column: text.slice(0, at), field: text.slice(at + 1) || null }
}

async function runPreview(
  client: Client,
  { uuid, on_taken, domain }: Input<'runImport'>,
  bar: ProgressBar | undefined,
): Promise<Printed> {
  const { data } = await client.runImport({ uuid, on_taken, domain })
  const onProgress = (now: Import): void => bar?.update('links imported', now.processed, now.importable)
  const ended = await followImport(client, data, { onProgress })
  bar?.end()
  return report(ended)
}

/** Imports the file, part by part if it is large. If a part fails, reports what was imported. */
async function importAll(
  client: Client,
  file: Blob,
  settings: ImportFileOptions,
  bar: ProgressBar | undefined,
): Promise<Printed> {
  const ended: Import[] = []
  try {
    const whole = await importFile(client, file, {
      ...settings,
      onPart: (part) => ended.push(part),
      onProgress: (progress) => showProgress(bar, progress),
    })
    const [only] = whole.imports
    return whole.parts === 1 && only !== undefined ? report(only) : reportParts(whole)
  } catch (error) {
    if (ended.length > 0) process.stderr.write(`${doneSoFar(ended)}\n`)
    throw error
  } finally {
    bar?.end()
  }
}

/** Waits for the removal of one import after another. */
async function undo(
  client: Client,
  uuids: readonly string[],
  bar: ProgressBar | undefined,
): Promise<Printed> {
  const ended: Import[] = []
  for (const uuid of uuids) {
    const { data } = await client.undoImport({ uuid })
    const onProgress = (now: Import): void => bar?.update('links imported', now.processed, now.importable)
    ended.push(await followImport(client, data, { onProgress }))
  }
  bar?.end()
  const [only] = ended
  if (ended.length === 1 && only !== undefined) return report(only)
  return { text: `Removed every short link of ${ended.length} imports`, json: ended }
}

const uploadBar = (bar: ProgressBar | undefined): ImportFileOptions => ({
  onProgress: (progress) => showProgress(bar, progress),
})

function showProgress(bar: ProgressBar | undefined, progress: ImportFileProgress): void {
  const { step, done, total, part, parts } = progress
  const what = step === 'upload' ? 'bytes uploaded' : 'links imported'
  bar?.update(parts === 1 ? what : `${what}, part ${part} of ${parts}`, done, total)
}

const NOTES: Readonly<Record<string, (now: Import) => string>> = {
  ready: ({ importable, taken, total, source }) =>
    `${importable - taken} new, ${taken} taken, ${total - importable} invalid of ${total} links (${shown(source)})`,
  done: ({ created, total, skipped, renamed }) =>
    created === 0
      ? `Nothing was imported: all ${total} links are left out`
      : `Imported ${created} of ${total} links; ${skipped} skipped, ${renamed} renamed`,
  failed: ({ error }) => line`Nothing was imported: ${error ?? ''}`,
  undone: () => 'Removed every short link of the import',
}

/** The next step for the user. */
function nextStep({ state, uuid, taken, columns, runnable_until }: Import): string | undefined {
  if (state === 'done') return `Undo it with waymark import --undo ${uuid}`
  if (state === 'ready' && !columns.some(({ field }) => field === 'link'))
    return 'Specify the column with the destination: --map "COLUMN=link"'
  if (runnable_until === null) return undefined
  return `Import it with waymark import --run ${uuid}${taken > 0 ? ' --on-taken skip (or rename)' : ''}`
}

function report(now: Import): Printed {
  const columns = now.columns.map(({ column, field }) => [column, field ?? '(ignored)'])
  const parts = [NOTES[now.state]?.(now) ?? now.state]
  if (now.state === 'ready') parts.push(table([['column', 'field'], ...columns]))
  parts.push(...problemsOf(now))
  const next = nextStep(now)
  if (next !== undefined) parts.push(next)
  return { text: parts.join('\n\n'), json: now, hasFailed: isInVain(now) }
}

/** Whether nothing was imported, or could be. */
const isInVain = ({ state, importable, created }: Import): boolean =>
  state === 'failed' || (state === 'ready' && importable === 0) || (state === 'done' && created === 0)

/** The preview of a file, or of the first part of a large one. */
function lookAt({ import: read, parts, imported }: FilePreview): Printed {
  const first = report(read)
  if (parts === 1) return first
  const note = `The file is imported in ${parts} parts, of which ${imported} are imported already; this is the first one.`
  return { ...first, text: `${note}\n\n${first.text}`, json: { ...read, parts, imported } }
}

function reportParts(whole: ImportedFile): Printed {
  const { state, parts, imports, created, total, skipped, renamed, error } = whole
  const uuids = imports.filter((one) => one.state === 'done').map(({ uuid }) => uuid)
  const hasFailed = state !== 'done' || created === 0
  const texts = hasFailed
    ? [line`Part ${imports.length} of ${parts} was not imported: ${error ?? state}`, doneSoFar(imports)]
    : [`Imported ${created} of ${total} links in ${parts} parts; ${skipped} skipped, ${renamed} renamed`]
  texts.push(...problemsOf(whole))
  if (uuids.length > 0) texts.push(`Undo it with waymark import --undo ${uuids.join(' ')}`)
  return { text: texts.join('\n\n'), json: whole, hasFailed }
}

function doneSoFar(imports: readonly Import[]): string {
  const done = imports.filter(({ state }) => state === 'done')
  const created = done.reduce((sum, one) => sum + one.created, 0)
  return `${done.length} parts are imported, with ${created} links. Run the same command again to continue: no part is imported twice.`
}

function problemsOf({ problems, problem_count }: Pick<Import, 'problems' | 'problem_count'>): string[] {
  const listed = problems
    .slice(0, SHOWN_PROBLEMS)
    .map(({ line: at, column, message }) =>
      column === null ? line`line ${at}: ${message}` : line`line ${at}, ${column}: ${message}`,
    )
  return [
    ...(listed.length > 0 ? [listed.join('\n')] : []),
    ...(problem_count > listed.length ? [`${problem_count - listed.length} more problems`] : []),
  ]
}
