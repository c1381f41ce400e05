import { writeFile } from 'node:fs/promises'
import type { Client } from '@waymark/sdk'
import { type Command, Option } from 'commander'
import { connect } from '../credentials.ts'
import { type Exported, type ExportFilter, readLinks } from '../exports/export-format.ts'
import type { Fields } from '../operations/call.ts'
import { addFields, fieldsOf, inputOf } from '../operations/fields.ts'
import { print, type Printed } from '../print.ts'
import { FailedCommand, jsonOption, type Output, ProgressBar } from '../terminal/index.ts'
import { withExamples } from './examples.ts'

type Writer = (client: Client, filter: ExportFilter, bar: ProgressBar | undefined) => Promise<Exported>

const json: Writer = async (client, filter, bar) => {
  const links = await readLinks(client, filter, (done, total) => bar?.update('links read', done, total))
  return { content: `${JSON.stringify(links, null, 2)}\n`, links: links.length, skipped: [] }
}

const csv: Writer = async (client, filter) => {
  const content = await client.exportLinks(filter)
  const { meta } = await client.links({ ...filter, limit: 1 })
  return { content, links: meta.total, skipped: [] }
}

const writers = { csv, json } as const

type Options = Output & Fields & { readonly format: keyof typeof writers; readonly out?: string }

/** waymark export */
export function addExport(program: Command): void {
  const fields = fieldsOf('exportLinks')
  const command = program
    .command('export')
    .description('export short links')
    .addOption(
      new Option('--format <format>', 'format of the file').choices(Object.keys(writers)).default('csv'),
    )
    .option('--out <path>', 'write to this file; default: standard output')
  addFields(command, fields)
  command.addOption(jsonOption)
  withExamples(command, ['waymark export --out links.csv', 'waymark export --format json --tag shop']).action(
    (options: Options) => print(options, () => run(options, inputOf(fields, options))),
  )
}

async function run({ format, out, json }: Options, filter: ExportFilter): Promise<Printed> {
  const bar = process.stderr.isTTY && json !== true ? new ProgressBar() : undefined
  const { content, links, skipped } = await writers[format](await connect(), filter, bar)
  bar?.end()
  const facts = { format, links, skipped }
  if (out === undefined) return { text: content, json: { ...facts, content } }
  await writeFile(out, content).catch((cause: unknown) => {
    throw new FailedCommand(`${out} cannot be written`, { cause })
  })
  return { text: `Exported ${links} links to ${out}`, json: { ...facts, out } }
}
