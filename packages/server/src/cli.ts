import { errorLine, isJson, jsonOption, type Output } from '@waymark/cli/terminal'
import { Command, Option } from 'commander'
import { version } from './version.ts'
import { abuseCommands } from './commands/abuse.ts'
import { keyCommands, planCommands, tokenCommands } from './commands/accounts.ts'
import { clicksCommands } from './commands/clicks.ts'
import { backupCommands } from './commands/backup.ts'
import { run } from './commands/command.ts'
import { doctorCommand } from './commands/doctor.ts'
import { domainCommands } from './commands/domains.ts'
import { rotateSecretCommand } from './commands/rotate-secret.ts'
import { userCommands } from './commands/users.ts'
import { makeBucketCommand } from './commands/make-bucket.ts'
import { migrateDataCommand } from './commands/migrate-data.ts'

const USAGE_ERROR = 2

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader of a pipe such as `| head -1` has what it wants; a command that waits for signals ends as by one.
  if (error.code === 'EPIPE') {
    if (!process.emit('SIGTERM', 'SIGTERM')) process.exit()
    return
  }
  process.stderr.write(errorLine(isJson(process.argv), `the output cannot be written: ${error.message}`))
  process.exit(1)
})

const program = new Command('waymark')
  .description('Short links, QR codes, barcodes, landing pages and UTM links')
  .version(isJson(process.argv) ? JSON.stringify({ version }) : version, '--version')
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : USAGE_ERROR))
  .configureOutput({
    outputError: (text, write) => write(errorLine(isJson(process.argv), text.replace(/^error: /, '').trim())),
  })

program
  .command('serve')
  .description('start the service')
  .addOption(new Option('--json', 'print start-up errors as a JSON object'))
  .action(async () => {
    await import('./main.ts')
  })

program
  .command('migrate')
  .description('upgrade the database schema')
  .addOption(jsonOption)
  .action((output: Output) =>
    run(output, (core) =>
      Promise.resolve({
        text: `The ${core.engine} database is up to date`,
        json: { migrated: true, engine: core.engine },
      }),
    ),
  )

doctorCommand(program)

program.commandsGroup('Local administration:')
const admin = program
  .command('admin')
  .description('local administration: acts on the data of this installation')
// The names without `admin` are older and keep working.
for (const parent of [program, admin]) {
  const user = userCommands(parent)
  if (parent === admin) abuseCommands(admin, user)
  keyCommands(parent)
  tokenCommands(parent)
  planCommands(parent)
  domainCommands(parent)
  backupCommands(parent)
  clicksCommands(parent)
  migrateDataCommand(parent)
  makeBucketCommand(parent)
}
rotateSecretCommand(admin)

const words = process.argv.slice(2)
// Commander prints a version as it is.
if (words.length === 2 && words.includes('--version') && words.includes('--json')) {
  process.stdout.write(`${JSON.stringify({ version })}\n`)
  process.exit(0)
}
// Administration does not wait for the schemas of the API to be loaded.
if (!program.commands.some((command) => command.name() === words[0])) {
  const { addEverydayCommands } = await import('@waymark/cli')
  addEverydayCommands(program, words)
}

await program.parseAsync()
