import type { Command } from 'commander'
import { clientOf, readCredentials } from '../credentials.ts'
import { serveMcp } from '../mcp/server.ts'
import { print } from '../print.ts'
import { withExamples } from './examples.ts'

// A model should not wait long for an error.
const DEADLINE_MS = 60_000

/** waymark mcp */
export function addMcp(program: Command): void {
  const command = program
    .command('mcp')
    .description(
      'serve the Model Context Protocol on standard input and output, with a tool for each operation',
    )
    .option('--read-only', 'offer only tools that change nothing')
    .option('--files <path>', 'allow uploads of files from this folder')
  withExamples(command, ['waymark mcp --read-only', 'waymark mcp --files ~/pictures']).action(
    (options: { readonly readOnly?: boolean; readonly files?: string }) =>
      print({}, async () => {
        const client = clientOf(await readCredentials(), DEADLINE_MS)
        const served = {
          client,
          version: program.version() ?? '',
          filesFolder: options.files,
          isReadOnly: options.readOnly === true,
        }
        await serveMcp(served, process.stdin, process.stdout)
        return { text: '', json: undefined }
      }),
  )
}
