import type { Command } from 'commander'
import type { Config } from '../config.ts'
import { OperatorError } from '../runtime/operator-error.ts'
import { answer, jsonOption, type Output } from './command.ts'

/** waymark backup, waymark restore */
export function backupCommands(program: Command): void {
  program
    .command('backup')
    .description('write the data of the embedded stack into one file, while the service runs')
    .argument('<file>')
    .addOption(jsonOption)
    .action((file: string, options: Output) =>
      answer(options, async (config) => {
        refuseServers(config)
        const { backUp } = await import('../storage/backups/backup.ts')
        const { dataDir, secretKey, s3Url } = config
        const withFiles = s3Url === undefined
        const result = await backUp({ dataDir, file, secretKey, withFiles, now: Date.now })
        const text = `Wrote ${file}: ${result.bytes} bytes, ${result.files} files. Keep it like a password.`
        return { text, json: { file, ...result } }
      }),
    )
  program
    .command('restore')
    .description('put the data of a backup into DATA_DIR, while the service is stopped')
    .argument('<file>')
    .option('--force', 'replace what is there')
    .addOption(jsonOption)
    .action((file: string, options: Output & { force?: boolean }) =>
      answer(options, async (config) => {
        refuseServers(config)
        const [{ restore }, { loadMigrations }] = await Promise.all([
          import('../storage/backups/restore.ts'),
          import('../storage/db/migrations.ts'),
        ])
        const { dataDir, secretKey, s3Url } = config
        const known = (await loadMigrations()).map(({ name }) => name)
        const force = options.force === true
        const withFiles = s3Url === undefined
        const { created_at, files } = await restore({ file, dataDir, secretKey, withFiles, force, known })
        const text = `Restored the data of ${created_at} into ${dataDir}, with ${files} files`
        return { text, json: { data_dir: dataDir, created_at, files } }
      }),
    )
}

function refuseServers({ databaseUrl }: Config): void {
  if (databaseUrl !== undefined)
    throw new OperatorError(
      'DATABASE_URL is set: PostgreSQL is backed up with its own tools, as docs/operations.md says',
    )
}
