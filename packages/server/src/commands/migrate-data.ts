import { jsonOption, type Output } from '@waymark/cli/terminal'
import type { Command } from 'commander'
import { printOutput } from './command.ts'

interface MoveOptions extends Output {
  readonly from: string
  readonly to: string
  readonly filesTo?: string
}

/** waymark migrate-data */
export function migrateDataCommand(program: Command): void {
  program
    .command('migrate-data')
    .description('move everything from SQLite to PostgreSQL; may be interrupted and started again')
    .requiredOption('--from <sqlite:path>', 'the data folder, or the database file in it')
    .requiredOption('--to <postgres://…>', 'an empty database')
    .option('--files-to <url>', 'a bucket as in S3_URL; without it, files stay where they are')
    .addOption(jsonOption)
    .action((options: MoveOptions) =>
      printOutput(options, async () => (await import('./move-data.ts')).moveData(options)),
    )
}
