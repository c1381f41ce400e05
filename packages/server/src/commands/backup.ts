import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { jsonOption, type Output, table } from '@waymark/cli/terminal'
import type { Command } from 'commander'
import type { Config } from '../config.ts'
import { OperatorError } from '../runtime/operator-error.ts'
import { printOutput } from './command.ts'

/** waymark backup, waymark backup list, waymark backup verify, waymark restore */
export function backupCommands(program: Command): void {
  const backup = program
    .command('backup')
    .description('back up the embedded database and its files, while the service runs')
    .argument('[file]', 'the file to write; without it, the backup goes to BACKUP_TO and is verified there')
    .addOption(jsonOption)
    .action((file: string | undefined, options: Output) =>
      printOutput(options, (config) => (file === undefined ? keep(config) : write(config, file))),
    )
  backup
    .command('list')
    .description('list the backups in BACKUP_TO, oldest first')
    .addOption(jsonOption)
    .action((_own: Output, command: Command) => printOutput(command.optsWithGlobals(), list))
  backup
    .command('verify')
    .description('restore a backup into a temporary folder and check its database and files')
    .argument('[file]', 'a file, or the name of a backup in BACKUP_TO; without it, the newest one there')
    .addOption(jsonOption)
    .action((file: string | undefined, _own: Output, command: Command) =>
      printOutput(command.optsWithGlobals(), (config) => verify(config, file)),
    )
  program
    .command('restore')
    .description('replace the data in DATA_DIR with that of a backup, while the service is stopped')
    .argument('[file]', 'a file, or the name of a backup in BACKUP_TO; without it, the newest one there')
    .option('--force', 'replace what is there')
    .addOption(jsonOption)
    .action((file: string | undefined, options: Output & { force?: boolean }) =>
      printOutput(options, (config) => bringBack(config, file, options.force === true)),
    )
}

async function write(config: Config, file: string) {
  const { backUp } = await import('../storage/backups/backup.ts')
  const result = await backUp({ ...(await settingsOf(config)), file, now: Date.now })
  const text = `Wrote ${file}: ${result.bytes} bytes, ${result.files} files. Keep it like a password.`
  return { text, json: { file, ...result } }
}

async function keep(config: Config) {
  const settings = await settingsOf(config)
  const { keepBackup } = await import('../storage/backups/kept-backups.ts')
  const kept = await keepBackup({ ...settings, ...placeOf(config) })
  const text = `Stored and verified ${kept.name}: ${kept.bytes} bytes, ${kept.files} files, ${kept.links} links`
  return { text, json: kept }
}

async function list(config: Config) {
  const { openPlace } = await import('../storage/backups/places.ts')
  const names = await openPlace(placeOf(config).target).list()
  const text = names.length === 0 ? 'There are no backups yet' : table(names.map((name) => [name]))
  return { text, json: names.map((name) => ({ name })) }
}

async function verify(config: Config, file: string | undefined) {
  const settings = await settingsOf(config)
  const { verifyBackup } = await import('../storage/backups/verify.ts')
  const { name, result } = await onBackup(config, file, (path) => verifyBackup({ ...settings, file: path }))
  const text = `${name} can be restored: ${result.accounts} accounts, ${result.links} links, ${result.files} files`
  return { text, json: { name, ...result } }
}

async function bringBack(config: Config, file: string | undefined, force: boolean) {
  const settings = await settingsOf(config)
  const { restore } = await import('../storage/backups/restore.ts')
  const { result } = await onBackup(config, file, (path) => restore({ ...settings, file: path, force }))
  const { dataDir } = config
  const text = `Restored the data of ${result.created_at} into ${dataDir}, with ${result.files} files`
  return { text, json: { data_dir: dataDir, ...result } }
}

/** Works on a file of this machine, or on a copy of a stored backup. */
async function onBackup<T>(
  config: Config,
  file: string | undefined,
  work: (path: string) => Promise<T>,
): Promise<{ name: string; result: T }> {
  const { isBackupName } = await import('../storage/backups/places.ts')
  if (file !== undefined && (existsSync(file) || config.backups === undefined || !isBackupName(file)))
    return { name: file, result: await work(file) }
  const { newestBackup, withCopy } = await import('../storage/backups/kept-backups.ts')
  const { target } = placeOf(config)
  const name = file ?? (await newestBackup(target))
  return { name, result: await withCopy(target, name, tmpdir(), work) }
}

async function settingsOf({ databaseUrl, dataDir, secretKey, s3Url }: Config) {
  if (databaseUrl !== undefined)
    throw new OperatorError(
      'DATABASE_URL is set: PostgreSQL is backed up with its own tools, as docs/backups.md says',
    )
  const { loadMigrations } = await import('../storage/db/migrations.ts')
  const known = (await loadMigrations()).map(({ name }) => name)
  return { dataDir, secretKey, withFiles: s3Url === undefined, known }
}

function placeOf({ backups }: Config): NonNullable<Config['backups']> {
  if (backups === undefined)
    throw new OperatorError('name a file, or set BACKUP_TO to a folder or a bucket (docs/backups.md)')
  return backups
}
