import { areas } from '@waymark/contract'
import { type Command, InvalidArgumentError } from 'commander'
import { clientOf, readCredentials } from '../credentials.ts'
import type { Area } from '../mcp/offered.ts'
import { serveMcp } from '../mcp/server.ts'
import { print } from '../print.ts'
import { withExamples } from './examples.ts'

// A model should not wait long for an error.
const DEADLINE_MS = 60_000

function areasOf(list: string): readonly Area[] {
  return list.split(',').map((word) => {
    const area = areas.find((each) => each === word.trim())
    if (area === undefined) throw new InvalidArgumentError(`${word} is not one of ${areas.join(', ')}`)
    return area
  })
}

/** waymark mcp */
export function addMcp(program: Command): void {
  const command = program
    .command('mcp')
    .description(
      'serve the Model Context Protocol on standard input and output, with tools for everyday questions and one that finds and calls the others',
    )
    .option('--read-only', 'offer only tools that change nothing')
    .option('--areas <list>', `list all tools of these areas instead: ${areas.join(',')}`, areasOf)
    .option('--all', 'list every tool with its complete schema, about 250 KB')
    .option('--files <path>', 'allow uploads of files from this folder')
  const examples = [
    'waymark mcp --read-only',
    'waymark mcp --areas links,analytics',
    'waymark mcp --files ~/pictures',
  ]
  withExamples(command, examples).action(
    (options: {
      readonly readOnly?: boolean
      readonly areas?: readonly Area[]
      readonly all?: boolean
      readonly files?: string
    }) =>
      print({}, async () => {
        const client = clientOf(await readCredentials(), DEADLINE_MS)
        const served = {
          client,
          version: program.version() ?? '',
          filesFolder: options.files,
          isReadOnly: options.readOnly === true,
          choice: options.all === true ? ('all' as const) : options.areas,
        }
        await serveMcp(served, process.stdin, process.stdout)
        return { text: '', json: undefined }
      }),
  )
}
