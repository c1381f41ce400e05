import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { addEverydayCommands } from './index.ts'

/** Excludes commands of local administration. */
const isEveryday = (line: string): boolean =>
  line.startsWith('waymark ') && !/^waymark (?:key|admin|serve)\b/.test(line)

/** Words of a shell line, without quotes and comments. */
const wordsOf = (line: string): string[] =>
  [...line.replace(/\s#\s.*$/, '').matchAll(/'([^']*)'|"([^"]*)"|([^\s'"]+)/g)].map(
    ([, single, double, bare]) => single ?? double ?? bare ?? '',
  )

/** A command and all its subcommands. */
const commandsOf = (command: Command): Command[] => [command, ...command.commands.flatMap(commandsOf)]

/** Unknown commands and options in a line. */
function unknownIn(line: string): string[] {
  const program = new Command('waymark')
  const words = wordsOf(line).slice(1)
  addEverydayCommands(program, words)
  let command = program
  let rest = words
  for (;;) {
    const [first] = rest
    const next = command.commands.find((each) => each.name() === first)
    if (next === undefined) break
    command = next
    rest = rest.slice(1)
  }
  // A group with a default command: `waymark qr URL`.
  if (command.commands.length > 0)
    command = command.commands.find((each) => each.name() === 'create') ?? command
  if (command === program) return [line]
  return command.parseOptions(rest).unknown
}

const fromHelp = (): string[] => {
  const program = new Command('waymark')
  // Completion needs every command, so all of them are created.
  addEverydayCommands(program, ['completion'])
  return commandsOf(program).flatMap((command) => {
    let help = ''
    command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp()
    return [...help.matchAll(/^ {2}\$ (waymark .+)$/gm)].map(([, line]) => line ?? '')
  })
}

const fromGuide = (name: string): string[] =>
  readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), 'utf8')
    .split('\n')
    .filter(isEveryday)

describe('examples', () => {
  it.each([
    ['of the help', fromHelp, 25],
    ['of docs/cli.md', () => fromGuide('cli'), 20],
    ['of docs/importing.md', () => fromGuide('importing'), 3],
  ])('%s name commands and options that exist', (_, read, atLeast) => {
    const lines = read()
    expect(lines.length).toBeGreaterThanOrEqual(atLeast)
    for (const line of lines) expect([line, unknownIn(line)]).toEqual([line, []])
  })

  it('are rejected if they are invalid', () => {
    expect(unknownIn('waymark link create https://example.com --colour red')).toEqual(['--colour', 'red'])
    expect(unknownIn('waymark lnk create')).toEqual(['waymark lnk create'])
  })
})
