import type { Command, Option } from 'commander'

/** waymark completion bash */
export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('print a script that completes commands and options in a shell')
    .argument('<shell>', 'bash')
    .addHelpText('after', "\nExample:\n  $ echo 'source <(waymark completion bash)' >> ~/.bashrc")
    .action((shell: string, _options: unknown, command: Command) => {
      if (shell !== 'bash') command.error(`error: there is no completion for ${shell}; there is one for bash`)
      process.stdout.write(bashCompletion(program))
    })
}

interface Place {
  /** The words of the command: `link create`. */
  readonly path: string
  readonly words: readonly string[]
}

const flagsOf = ({ options }: Command): string[] =>
  options.filter(({ hidden }) => !hidden).map(({ long }) => long ?? '')

function placesOf(command: Command, path: readonly string[] = []): Place[] {
  const words = [...command.commands.map((each) => each.name()), ...flagsOf(command), '--help']
  return [
    { path: path.join(' '), words: [...new Set(words)] },
    ...command.commands.flatMap((each) => placesOf(each, [...path, each.name()])),
  ]
}

const takesPath = ({ flags }: Option): boolean => /<paths?>/.test(flags)

/** Options of any command that are followed by the path of a file. */
const pathFlags = (command: Command): string[] => [
  ...new Set([
    ...command.options.filter(takesPath).map(({ long }) => long ?? ''),
    ...command.commands.flatMap(pathFlags),
  ]),
]

function bashCompletion(program: Command): string {
  const places = placesOf(program).map(({ path, words }) => `    '${path}') words='${words.join(' ')}' ;;`)
  return `# Completion of waymark for bash: source <(waymark completion bash)
_waymark() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} path='' words='' word
  case $previous in
    ${pathFlags(program).join('|')}) COMPREPLY=($(compgen -f -- "$current")); return ;;
  esac
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in
      -*) break ;;
      *) path="\${path:+$path }$word" ;;
    esac
  done
  # Arguments follow the words of a command: the longest known path counts.
  while :; do
    case $path in
${places.map((line) => `  ${line}`).join('\n')}
    esac
    [ -n "$words" ] && break
    [ "$path" = "\${path% *}" ] && path='' || path=\${path% *}
  done
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [ \${#COMPREPLY[@]} -eq 0 ] && [ -n "$current" ] && COMPREPLY=($(compgen -f -- "$current"))
}
complete -o filenames -o bashdefault -F _waymark waymark
`
}
