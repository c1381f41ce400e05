import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { jsonOption, type Output, table } from '@waymark/cli/terminal'
import type { Command } from 'commander'
import type { Config } from '../config.ts'
import { OperatorError } from '../net/errors.ts'
import { printOutput } from './command.ts'

/** waymark backup, waymark backup list, waymark backup verify, waymark restore */
export function backupCommands(program: Command): void {
  const backup = program
    .command('backup')
    .description('back up the database and the uploaded files, while the service runs')
    .argument('[file]', 'the file to write; without it, the backup goes to BACKUP_TO and is verified there')
    .addOption(jsonOption)
    .action((file: string | undefined, options: Output) =>
      printOutput(options, (config) => (file === undefined ? store(config) : write(config, file))),
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
    .description('restore a backup into DATA_DIR, or into an empty PostgreSQL, while the service is stopped')
    .argument('[file]', 'a file, or the name of a backup in BACKUP_TO; without it, the newest one there')
    .option('--force', 'replace existing data')
    .addOption(jsonOption)
    .action((file: string | undefined, options: Output & { force?: boolean }) =>
      printOutput(options, (config) => restoreBackup(config, file, options.force === true)),
    )
}

async function write(config: Config, file: string) {
  const { backUp } = await import('../storage/backups/backup.ts')
  const result = await backUp({ ...(await settingsOf(config)), file, now: Date.now })
  rejectIncomplete(`wrote ${file}`, result.missing)
  const text = `Wrote ${file}: ${result.bytes} bytes, ${result.files} files. Protect it like a password.${withoutClicks(config)}`
  return { text, json: { file, ...result } }
}

const withoutClicks = ({ clicksUrl }: Config): string =>
  clicksUrl === undefined
    ? ''
    : '\nSingle clicks in ClickHouse are not part of it: back up ClickHouse with its own tools.'

async function store(config: Config) {
  const settings = await settingsOf(config)
  const { storeBackup } = await import('../storage/backups/stored-backups.ts')
  const kept = await storeBackup({ ...settings, ...backupsOf(config) })
  rejectIncomplete(`stored ${kept.name}`, kept.missing)
  const text = `Stored and verified ${kept.name}: ${kept.bytes} bytes, ${kept.files} files, ${kept.links} links${withoutClicks(config)}`
  return { text, json: kept }
}

async function list(config: Config) {
  const { openTarget } = await import('../storage/backups/targets.ts')
  const names = await openTarget(backupsOf(config).target).list()
  const text = names.length === 0 ? 'There are no backups yet' : table(names.map((name) => [name]))
  return { text, json: names.map((name) => ({ name })) }
}

async function verify(config: Config, file: string | undefined) {
  const settings = await settingsOf(config)
  const { verifyBackup } = await import('../storage/backups/restore.ts')
  const { name, result } = await onBackup(config, file, (path) => verifyBackup({ ...settings, file: path }))
  rejectIncomplete(`${name} can be restored`, result.missing)
  const text = `${name} can be restored: ${result.accounts} accounts, ${result.links} links, ${result.files} files`
  return { text, json: { name, ...result } }
}

async function restoreBackup(config: Config, file: string | undefined, force: boolean) {
  const settings = await settingsOf(config)
  const { restore } = await import('../storage/backups/restore.ts')
  const { result } = await onBackup(config, file, (path) => restore({ ...settings, file: path, force }))
  const { dataDir, databaseUrl } = config
  const into = databaseUrl === undefined ? dataDir : 'PostgreSQL'
  const text = `Restored the data of ${result.created_at} into ${into}, with ${result.files} files`
  const { length } = result.missing
  const note = length === 0 ? '' : `\n${missingFiles(result.missing)}; waymark doctor says what to do`
  return { text: text + note, json: { data_dir: dataDir, ...result } }
}

const NAMED = 3

/** For example `2 files that the database refers to are missing: …`. */
function missingFiles(hashes: readonly string[]): string {
  const named = hashes.slice(0, NAMED).join(', ') + (hashes.length > NAMED ? ', …' : '')
  const [files, are] = hashes.length === 1 ? ['1 file', 'is'] : [`${hashes.length} files`, 'are']
  return `${files} that the database refers to ${are} missing: ${named}`
}

/** Fails after the work, which is not undone, so that cron reports it. */
function rejectIncomplete(done: string, missing: readonly string[]): void {
  if (missing.length > 0)
    throw new OperatorError(`${done}, but ${missingFiles(missing)}; waymark doctor says what to do`)
}

/** Uses a local file, or a copy of a stored backup. */
async function onBackup<T>(
  config: Config,
  file: string | undefined,
  work: (path: string) => Promise<T>,
): Promise<{ name: string; result: T }> {
  const { isBackupName } = await import('../storage/backups/targets.ts')
  if (file !== undefined && (existsSync(file) || config.backups === undefined || !isBackupName(file)))
    return { name: file, result: await work(file) }
  const { newestBackup, withCopy } = await import('../storage/backups/stored-backups.ts')
  const { target } = backupsOf(config)
  const name = file ?? (await newestBackup(target))
  return { name, result: await withCopy(target, name, tmpdir(), work) }
}

async function settingsOf({ databaseUrl, dataDir, secretKey, s3Url }: Config) {
  const { loadMigrations } = await import('../storage/db/migrator.ts')
  const known = (await loadMigrations()).map(({ name }) => name)
  return { dataDir, databaseUrl, secretKey, withFiles: s3Url === undefined, known }
}

function backupsOf({ backups }: Config): NonNullable<Config['backups']> {
  if (backups === undefined)
    throw new OperatorError('name a file, or set BACKUP_TO to a folder or a bucket (docs/backups.md)')
  return backups
}
