import { writeFile } from 'node:fs/promises'
import type { Client } from '@waymark/sdk'
import { type Command, Option } from 'commander'
import { connect } from '../credentials.ts'
import { caddyFile } from '../exports/caddy.ts'
import type { ExportedLink } from '../exports/earlier-codes.ts'
import { type Exported, type ExportFilter, readLinks } from '../exports/export-format.ts'
import { nginxFile } from '../exports/nginx.ts'
import { redirectRules } from '../exports/redirect-rules.ts'
import type { Fields } from '../operations/call.ts'
import { addFields, fieldsOf, inputOf } from '../operations/fields.ts'
import { print, type Printed } from '../print.ts'
import { FailedCommand, jsonOption, line, type Output, ProgressBar } from '../terminal/index.ts'
import { withExamples } from './examples.ts'

type Writer = (client: Client, filter: ExportFilter, bar: ProgressBar | undefined) => Promise<Exported>

const read = (client: Client, filter: ExportFilter, bar: ProgressBar | undefined): Promise<ExportedLink[]> =>
  readLinks(client, filter, (done, total) => bar?.update('links read', done, total))

const json: Writer = async (client, filter, bar) => {
  const links = await read(client, filter, bar)
  return { content: `${JSON.stringify(links, null, 2)}\n`, links: links.length }
}

const csv: Writer = async (client, filter) => {
  const content = await client.exportLinks(filter)
  const { meta } = await client.links({ ...filter, limit: 1 })
  return { content, links: meta.total }
}

const nginx: Writer = async (client, filter, bar) => {
  const links = await read(client, filter, bar)
  const rules = redirectRules(links, Date.now())
  const { content, skipped } = nginxFile(rules)
  return { content, links: links.length - skipped.length, skipped, simplified: rules.simplified }
}

const caddy: Writer = async (client, filter, bar) => {
  const links = await read(client, filter, bar)
  const rules = redirectRules(links, Date.now())
  const { skipped, simplified } = rules
  return { content: caddyFile(rules), links: links.length - skipped.length, skipped, simplified }
}

const writers = { csv, json, nginx, caddy } as const

type Options = Output & Fields & { readonly format: keyof typeof writers; readonly out?: string }

/** waymark export */
export function addExport(program: Command): void {
  const fields = fieldsOf('exportLinks')
  const command = program
    .command('export')
    .description('export short links: as data, or as redirect rules for nginx or Caddy')
    .addOption(
      new Option('--format <format>', 'format of the file').choices(Object.keys(writers)).default('csv'),
    )
    .option('--out <path>', 'write to this file; default: standard output')
  addFields(command, fields)
  command.addOption(jsonOption)
  withExamples(command, [
    'waymark export --out links.csv',
    'waymark export --format json --tag shop',
    'waymark export --format nginx --out links.conf',
    'waymark export --format caddy --out Caddyfile',
  ]).action((options: Options) => print(options, () => run(options, inputOf(fields, options))))
}

async function run({ format, out, json }: Options, filter: ExportFilter): Promise<Printed> {
  const bar = process.stderr.isTTY && json !== true ? new ProgressBar() : undefined
  const {
    content,
    links,
    skipped = [],
    simplified = [],
  } = await writers[format](await connect(), filter, bar)
  bar?.end()
  const facts = { format, links, skipped, simplified }
  if (out === undefined) return { text: content, json: { ...facts, content } }
  await writeFile(out, content).catch((cause: unknown) => {
    throw new FailedCommand(`${out} cannot be written`, { cause })
  })
  const notes = [
    line`Exported ${links} links to ${out}`,
    ...(skipped.length > 0 ? [`${skipped.length} are not included; the file says why`] : []),
    ...(simplified.length > 0 ? [`${simplified.length} are simplified; the file says how`] : []),
  ]
  return { text: notes.join('\n'), json: { ...facts, out } }
}
