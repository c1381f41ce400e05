import { jsonOption, type Output, table } from '@waymark/cli/terminal'
import { type Command, Option } from 'commander'
import { isoTime } from '../work/times.ts'
import { run, userOf } from './command.ts'

interface NewKey {
  readonly email: string
  readonly name?: string
  readonly scope: 'read' | 'write'
  readonly signatureRequired?: boolean
}

/** waymark key … */
export function keyCommands(program: Command): void {
  const key = program.command('key').description('API keys')
  key
    .command('create')
    .requiredOption('--email <email>')
    .option('--name <name>')
    .addOption(
      new Option('--scope <scope>', 'what the key may do').choices(['read', 'write']).default('write'),
    )
    .option('--signature-required', 'reject unsigned requests')
    .addOption(jsonOption)
    .action((options: Output & NewKey) =>
      run(options, async (core) => {
        const { uuid, email } = await userOf(core, options.email)
        const { signatureRequired: signature_required, scope } = options
        const fields = { name: options.name, scope, signature_required }
        const { api_key, secret, name } = await core.keys.create(
          { workspaceUuid: uuid, userUuid: uuid },
          fields,
        )
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
        return {
          text: table(json.map((item) => [item.api_key, item.email, item.name, item.created_at])),
          json,
        }
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
}

/** waymark plan … */
export function planCommands(program: Command): void {
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
}
