import { setTimeout as delay } from 'node:timers/promises'
import type { Client, Import } from '@waymark/sdk'
import type { Command } from 'commander'
import { connect } from '../credentials.ts'
import type { Fields } from '../operations/call.ts'
import { addFields, type Field, fieldsOf, inputOf } from '../operations/fields.ts'
import { uploadOf } from '../operations/files.ts'
import { print, type Printed } from '../print.ts'
import { jsonOption, type Output, ProgressBar, table, UsageError } from '../terminal/index.ts'
import { withExamples } from './examples.ts'

const FIRST_WAIT_MS = 200
// Reads are limited to 60 a minute, and other programs use the same key.
const LONGEST_WAIT_MS = 3_000
const SHOWN_PROBLEMS = 20

type Options = Output & Fields & { readonly from?: string; readonly sql?: string; readonly undo?: string }

/** waymark import */
export function addImport(program: Command): void {
  const fields = fieldsOf('importLinks')
  const sources = fields.find(({ name }) => name === 'source')?.choices ?? []
  const command = program
    .command('import')
    .description('import short links from a file: another service, a spreadsheet or a Waymark export')
    .argument('[file]', 'CSV, JSON, HTML bookmarks or an SQL dump of YOURLS')
    .option(
      `--from <service>`,
      `where the file is from: ${sources.join(', ')}. Default: told by its columns.`,
    )
    .option('--sql <path>', 'an SQL dump of YOURLS')
    .option('--undo <uuid>', 'stop an import and remove every short link that it created')
  addFields(command, fields, ['file', 'source', 'background'])
  command.addOption(jsonOption)
  withExamples(command, [
    'waymark import links.csv --preview',
    'waymark import links.csv --on-taken rename',
    'waymark import --from yourls --sql dump.sql',
    'waymark import --undo UUID',
  ]).action((file: string | undefined, options: Options) =>
    print(options, () => run(fields, file ?? options.sql, options)),
  )
}

async function run(fields: readonly Field[], path: string | undefined, options: Options): Promise<Printed> {
  const client = await connect()
  const bar = process.stderr.isTTY && options.json !== true ? new ProgressBar() : undefined
  if (options.undo !== undefined) {
    const { data } = await client.undoImport({ uuid: options.undo })
    return report(await follow(client, data, bar))
  }
  if (path === undefined) throw new UsageError('Missing <file>')
  const source = options.from === undefined ? {} : { source: options.from }
  const input = { ...inputOf(fields, { ...options, ...source }), file: await uploadOf(path) }
  const isPreview = options['preview'] === true || options['preview'] === 'true'
  const { import: started } = await client.importLinks(
    { ...input, ...(!isPreview && { background: true }) },
    { onUploadProgress: ({ loaded, total }) => bar?.update('bytes uploaded', loaded, total) },
  )
  return report(await follow(client, started, bar))
}

const isUnderWay = ({ state }: Import): boolean => state === 'running' || state === 'undoing'

/** Asks how far an import is until it ends. */
async function follow(client: Client, started: Import, bar: ProgressBar | undefined): Promise<Import> {
  let now = started
  for (let waitMs = FIRST_WAIT_MS; isUnderWay(now); waitMs = Math.min(waitMs * 1.5, LONGEST_WAIT_MS)) {
    bar?.update('links imported', now.processed, now.importable)
    await delay(waitMs)
    const { data } = await client.imports({ uuid: now.uuid })
    now = data[0] ?? now
  }
  bar?.end()
  return now
}

const NOTES: Readonly<Record<string, (now: Import) => string>> = {
  ready: ({ importable, total, source }) => `${importable} of ${total} links can be imported (${source})`,
  done: ({ created, total, skipped, renamed }) =>
    `Imported ${created} of ${total} links; ${skipped} skipped, ${renamed} renamed`,
  failed: ({ error }) => `Nothing was imported: ${error ?? ''}`,
  undone: () => 'Removed every short link of the import',
}

function report(now: Import): Printed {
  const columns = now.columns.map(({ column, field }) => [column, field ?? '(ignored)'])
  const parts = [NOTES[now.state]?.(now) ?? now.state]
  if (now.state === 'ready') parts.push(table([['column', 'field'], ...columns]))
  const problems = now.problems
    .slice(0, SHOWN_PROBLEMS)
    .map(({ line, column, message }) => `line ${line}${column === null ? '' : `, ${column}`}: ${message}`)
  if (problems.length > 0) parts.push(problems.join('\n'))
  if (now.problem_count > problems.length) parts.push(`${now.problem_count - problems.length} more problems`)
  const next = { ready: '', done: `Undo it with waymark import --undo ${now.uuid}` }[now.state as string]
  if (next) parts.push(next)
  return { text: parts.join('\n\n'), json: now, hasFailed: now.state === 'failed' }
}
