import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { Command, Option } from 'commander'
import type { Core } from './app.ts'
import { readConfig } from './config.ts'
import { AppError } from './platform/errors.ts'
import { isoTime } from './platform/times.ts'
import { startErrorLine } from './start-error.ts'

interface Output {
  readonly json?: boolean
}

/** What a command answers: for people, and for programs. */
interface Answer {
  readonly text: string
  readonly json: object
}

const jsonOption = new Option('--json', 'print exactly one JSON value and nothing else')

/** Opens the storage, does the work, prints its answer, closes. */
const run = async (output: Output, work: (core: Core) => Promise<Answer>): Promise<void> => {
  try {
    const config = readConfig(process.env)
    // Loaded only now, from what the last start compiled: a command takes a fraction of the time.
    enableCompileCache(join(config.dataDir, 'cache'))
    const [{ openCore }, { pino }] = await Promise.all([import('./app.ts'), import('pino')])
    const core = await openCore(config, pino({ level: 'warn' }, pino.destination(2)))
    try {
      const { text, json } = await work(core)
      console.log(output.json === true ? JSON.stringify(json) : text)
    } finally {
      await core.close()
    }
  } catch (error) {
    const line = startErrorLine(error)
    console.error(line === undefined ? error : `waymark: ${line}`)
    process.exitCode = 1
  }
}

const userOf = async (core: Core, email: string) => {
  const user = await core.users.findByEmail(email.trim().toLowerCase())
  if (user === undefined) throw new AppError('not_found', { message: `There is no account ${email}` })
  return user
}

const table = (rows: readonly (readonly string[])[]): string => {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const program = new Command('waymark').description(
  'Short links, QR codes, barcodes, landing pages and UTM links',
)

program
  .command('serve')
  .description('start the service')
  .action(async () => {
    await import('./main.ts')
  })

program
  .command('migrate')
  .description('bring the database up to date')
  .addOption(jsonOption)
  .action((output: Output) =>
    run(output, (core) =>
      Promise.resolve({
        text: `The ${core.db.engine} database is up to date`,
        json: { migrated: true, engine: core.db.engine },
      }),
    ),
  )

const user = program.command('user').description('accounts')
user
  .command('create')
  .requiredOption('--email <email>')
  .requiredOption('--password <password>')
  .option('--first-name <name>')
  .option('--last-name <name>')
  .addOption(jsonOption)
  .action((options: Output & { email: string; password: string; firstName?: string; lastName?: string }) =>
    run(options, async (core) => {
      const { validate, schemas } = await import('@waymark/contract/schemas')
      const { email, password, firstName: first_name, lastName: last_name } = options
      const input = validate(schemas.signUp.body, { email, password, first_name, last_name })
      if (!input.ok) throw new AppError('validation', { errors: input.errors })
      const row = await core.accounts.create(input.value)
      return { text: `Created ${row.email}`, json: { uuid: row.uuid, ...core.accounts.present(row) } }
    }),
  )

const key = program.command('key').description('API keys')
key
  .command('create')
  .requiredOption('--email <email>')
  .option('--name <name>')
  .addOption(jsonOption)
  .action((options: Output & { email: string; name?: string }) =>
    run(options, async (core) => {
      const { uuid, email } = await userOf(core, options.email)
      const { api_key, secret, name } = await core.keys.create(uuid, options.name)
      const json = { api_key, secret, name: name ?? '', email }
      return { text: `API key  ${api_key}\nsecret   ${secret}\n\nThe secret is not shown again.`, json }
    }),
  )
key
  .command('list')
  .option('--email <email>', 'only the keys of this account')
  .addOption(jsonOption)
  .action((options: Output & { email?: string }) =>
    run(options, async (core) => {
      const rows = await core.keys.listAll(options.email?.trim().toLowerCase())
      const json = rows.map((row) => ({
        api_key: row.api_key,
        name: row.name ?? '',
        email: row.email,
        created_at: isoTime(row.created_at),
        last_used_at: row.last_used_at === null ? null : isoTime(row.last_used_at),
      }))
      return { text: table(json.map((item) => [item.api_key, item.email, item.name, item.created_at])), json }
    }),
  )
key
  .command('revoke')
  .argument('<key>', 'the API key, wm_…')
  .addOption(jsonOption)
  .action((apiKey: string, options: Output) =>
    run(options, async (core) => {
      await core.keys.revokeByKey(apiKey)
      return { text: `Revoked ${apiKey}`, json: { api_key: apiKey, revoked: true } }
    }),
  )

program
  .command('plan')
  .description('plans of accounts')
  .command('set')
  .requiredOption('--email <email>')
  .requiredOption('--plan <name>')
  .addOption(jsonOption)
  .action((options: Output & { email: string; plan: string }) =>
    run(options, async (core) => {
      const { email } = await userOf(core, options.email)
      await core.accounts.setPlan(email, options.plan)
      return { text: `${email} is on the plan ${options.plan}`, json: { email, plan: options.plan } }
    }),
  )

const domain = program.command('domain').description('domains that links and pages may use')
domain
  .command('add')
  .argument('<name>')
  .option('--email <email>', 'its owner; without, everyone may use it')
  .addOption(jsonOption)
  .action((name: string, options: Output & { email?: string }) =>
    run(options, async (core) => {
      const owner = options.email === undefined ? undefined : await userOf(core, options.email)
      const row = await core.domains.addVerified(name, owner?.uuid ?? null)
      const json = { name: row.name, email: owner?.email ?? null, verified: true }
      return { text: `${row.name} can be used by ${owner?.email ?? 'everyone'}`, json }
    }),
  )
domain
  .command('list')
  .addOption(jsonOption)
  .action((options: Output) =>
    run(options, async (core) => {
      const rows = await core.domains.listAll()
      const json = rows.map((row) => ({
        name: row.name,
        shared: row.user_uuid === null,
        verified: row.verified_at !== null,
        created_at: isoTime(row.created_at),
      }))
      return {
        text: table(json.map(({ name, verified }) => [name, verified ? 'verified' : 'not verified'])),
        json,
      }
    }),
  )
domain
  .command('remove')
  .argument('<name>')
  .addOption(jsonOption)
  .action((name: string, options: Output) =>
    run(options, async (core) => {
      const removed = await core.domains.removeUnused(name)
      return { text: `Removed ${removed.name}`, json: { name: removed.name, removed: true } }
    }),
  )

await program.parseAsync()
