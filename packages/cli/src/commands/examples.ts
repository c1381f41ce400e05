import type { Command } from 'commander'

/** Shows examples at the end of a command's help. */
export const withExamples = (command: Command, examples: readonly string[]): Command =>
  command.addHelpText(
    'after',
    `\n${examples.length === 1 ? 'Example' : 'Examples'}:\n${examples.map((line) => `  $ ${line}`).join('\n')}`,
  )
