import { writeFile } from 'node:fs/promises'
import { operations, type Operation, type OperationName, returnsBytes } from '@waymark/contract'
import type { Command } from 'commander'
import { connect } from '../credentials.ts'
import { callOf, type Fields } from '../operations/call.ts'
import { addFields, fieldsOf, inputOf } from '../operations/fields.ts'
import { readInput, withFiles } from '../operations/files.ts'
import { print } from '../print.ts'
import { jsonOption, line, type Output, shownJson, UsageError } from '../terminal/index.ts'

type Options = Output & Fields & { readonly input?: string; readonly out?: string }

/** `/v1/simulate-link` becomes `simulate-link`. */
const commandName = ({ path }: Operation): string => path.slice('/v1/'.length)

/** waymark api …: every operation that a key can call, under its own name. */
export function addApi(api: Command): void {
  for (const [name, operation] of Object.entries(operations) as [OperationName, Operation][]) {
    if (operation.tag === 'Dashboard') continue
    const fields = fieldsOf(name)
    const command = api.command(commandName(operation)).description(operation.summary)
    addFields(command, fields)
    if (operation.method === 'POST')
      command.option('--input <path>', 'read fields from a JSON file; - is standard input')
    if (returnsBytes(operation)) command.option('--out <path>', 'write the response to this file')
    command
      .addOption(jsonOption)
      .addHelpText('after', '\nPrints the response as JSON. null clears a field.')
      .action((options: Options) =>
        print(options, async () => {
          const input = await withFiles(fields, {
            ...(await readInput(options.input)),
            ...inputOf(fields, options),
          })
          const request = callOf(await connect(), name)(input)
          return operation.returns === 'events'
            ? follow(request, options)
            : responseOf(await request, options.out)
        }),
      )
  }
}

/** Prints events as they arrive, one on each line, until the command is interrupted. */
async function follow(events: AsyncIterable<Fields>, { json }: Output) {
  const write = json === true ? JSON.stringify : shownJson
  for await (const event of events) process.stdout.write(`${write(event)}\n`)
  return { text: '', json: undefined }
}

async function responseOf(answer: unknown, out: string | undefined) {
  if (answer instanceof Uint8Array) {
    if (out === undefined) throw new UsageError('Missing --out')
    await writeFile(out, answer)
    return { text: line`Saved ${out}`, json: { out, bytes: answer.length } }
  }
  if (typeof answer === 'string') return { text: answer, json: { content: answer } }
  return { text: shownJson(answer, 2), json: answer }
}
