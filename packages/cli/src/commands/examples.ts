import type { Command } from 'commander'

const NEEDS =
  '\nCalls an instance over HTTP: run waymark login first, or set WAYMARK_URL and WAYMARK_TOKEN.\n'

/** Shows examples at the end of the help of a command that calls the API, and what it needs. */
export const withExamples = (command: Command, examples: readonly string[]): Command =>
  command.addHelpText(
    'after',
    `${command.name() === 'login' ? '' : NEEDS}\n${examples.length === 1 ? 'Example' : 'Examples'}:\n${examples.map((line) => `  $ ${line}`).join('\n')}`,
  )
