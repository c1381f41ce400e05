import { jsonOption, line, type Output, table, UsageError } from '@waymark/cli/terminal'
import { type Command, Option } from 'commander'
import { isoTime } from '../work/times.ts'
import { AppError } from '../net/errors.ts'
import { checked, firstWorkspaceOf, type Named, run, type Services, userOf, workspaceOf } from './command.ts'

interface NewKey {
  readonly email?: string
  readonly workspace?: string
  readonly name?: string
  readonly scope: 'read' | 'write'
  readonly signatureRequired?: boolean
}

interface NewToken extends Pick<NewKey, 'email' | 'workspace' | 'name'> {
  readonly neverExpires?: true
}

/** The user and workspace that a key is for. Without an email address, the user is the workspace's oldest owner. */
async function ownerOf(core: Services, { email, workspace }: Pick<NewKey, 'email' | 'workspace'>) {
  if (email === undefined && workspace === undefined) throw new UsageError('Name --email or --workspace')
  const named = workspace?.toLowerCase()
  if (named !== undefined && (await core.workspaces.find(named)) === undefined)
    throw new AppError('not_found', { message: `There is no workspace ${workspace}` })
  if (email !== undefined) {
    const user = await userOf(core, email)
    return { user, workspaceUuid: named ?? firstWorkspaceOf(user) }
  }
  const workspaceUuid = named ?? ''
  const user = await core.workspaces.oldestOwner(workspaceUuid)
  if (user === undefined)
    throw new AppError('not_found', { message: `The workspace ${workspace} has no owner` })
  return { user, workspaceUuid }
}

/** waymark key … */
export function keyCommands(program: Command): void {
  const key = program.command('key').description('API keys')
  key
    .command('create')
    .option('--email <email>', 'the user it is for')
    .option('--workspace <uuid>', 'the workspace; without it the first one of the user')
    .option('--name <name>')
    .addOption(
      new Option('--scope <scope>', 'what the key may do').choices(['read', 'write']).default('write'),
    )
    .option('--signature-required', 'reject unsigned requests')
    .addOption(jsonOption)
    .action((options: Output & NewKey) =>
      run(options, async (core) => {
        const { signatureRequired: signature_required, scope } = options
        const fields = await checked('generateKey', { name: options.name, scope, signature_required })
        const { user, workspaceUuid } = await ownerOf(core, options)
        const { api_key, secret, name } = await core.recorded(
          () => core.keys.create({ workspaceUuid, userUuid: user.uuid }, fields, true),
          ({ uuid }) => ({
            operation: 'key create',
            workspaces: [workspaceUuid],
            resources: [uuid],
            details: { scope },
          }),
        )
        const json = { api_key, secret, name: name ?? '', email: user.email }
        return { text: `API key  ${api_key}\nsecret   ${secret}\n\nThe secret is not shown again.`, json }
      }),
    )
  key
    .command('list')
    .option('--email <email>', 'only the keys of this account')
    .option('--workspace <uuid>', 'only the keys of this workspace')
    .addOption(jsonOption)
    .action((options: Output & Named) =>
      run(options, async (core) => {
        const { email, workspace } = options
        const workspaceUuid =
          workspace === undefined ? undefined : (await workspaceOf(core, { workspace })).uuid
        const rows = await core.keys.listAll({ email: email?.trim().toLowerCase(), workspaceUuid })
        const json = rows.map((row) => ({
          api_key: row.api_key,
          name: row.name ?? '',
          email: row.email,
          workspace: row.workspace_uuid,
          created_at: isoTime(row.created_at),
          last_used_at: row.last_used_at === null ? null : isoTime(row.last_used_at),
        }))
        return {
          text: table(json.map((item) => [item.api_key, item.email ?? '', item.name, item.created_at])),
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
        await core.recorded(
          () => core.keys.revokeByKey(apiKey),
          ({ uuid, workspace_uuid }) => ({
            operation: 'key revoke',
            workspaces: [workspace_uuid],
            resources: [uuid],
          }),
        )
        return { text: line`Revoked ${apiKey}`, json: { api_key: apiKey, revoked: true } }
      }),
    )
}

/** waymark token … */
export function tokenCommands(program: Command): void {
  program
    .command('token')
    .description('access tokens, for tools that cannot sign')
    .command('create')
    .description('print an access token; it acts as owner of the workspace')
    .option('--email <email>', 'the user it is for')
    .option('--workspace <uuid>', 'the workspace; without it the first one of the user')
    .option('--name <name>')
    .option('--never-expires', 'without it the token expires after 90 days')
    .addOption(jsonOption)
    .action((options: Output & NewToken) =>
      run(options, async (core) => {
        const { name, neverExpires } = options
        const expires_at = neverExpires === true ? 'never' : undefined
        const fields = await checked('generateToken', { name, expires_at })
        const { user, workspaceUuid } = await ownerOf(core, options)
        const created = await core.recorded(
          () => core.tokens.create({ workspaceUuid, userUuid: user.uuid }, fields, true),
          ({ uuid }) => ({ operation: 'token create', workspaces: [workspaceUuid], resources: [uuid] }),
        )
        const json = {
          token: created.token,
          name: created.name ?? '',
          email: user.email,
          workspace: workspaceUuid,
          expires_at: created.expires_at,
        }
        return { text: `${created.token}\n\nThe token is not shown again.`, json }
      }),
    )
}

/** waymark plan … */
export function planCommands(program: Command): void {
  program
    .command('plan')
    .description('plans of workspaces')
    .command('set')
    .option('--email <email>', 'the user whose first workspace is meant')
    .option('--workspace <uuid>', 'another workspace')
    .requiredOption('--plan <name>')
    .addOption(jsonOption)
    .action((options: Output & Named & { plan: string }) =>
      run(options, async (core) => {
        const { uuid, name, owner } = await workspaceOf(core, options)
        await core.recorded(
          () => core.accounts.setPlan(uuid, options.plan),
          () => ({ operation: 'plan set', workspaces: [uuid], fields: ['plan'] }),
        )
        const json = { email: owner?.email ?? null, plan: options.plan }
        return { text: line`${name} is on the plan ${options.plan}`, json }
      }),
    )
}
