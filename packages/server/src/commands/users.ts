import { text } from 'node:stream/consumers'
import { ask, jsonOption, line, type Output, table, UsageError } from '@waymark/cli/terminal'
import type { Command } from 'commander'
import { isoTime, isoTimeOrNull } from '../work/times.ts'
import { checked, type CommandOutput, run, type Services, userOf, workspaceOf } from './command.ts'

const USERS_AT_ONCE = 1_000

type ByEmail = Output & { readonly email: string }

/** waymark user … */
export function userCommands(program: Command): Command {
  const user = program.command('user').description('accounts')
  createCommand(user)
  listCommand(user)
  user
    .command('remove')
    .description('remove an account and all its data permanently')
    .requiredOption('--email <email>')
    .option('--reason <reason>', 'stored without a reference to the account', 'Removed by the operator')
    .addOption(jsonOption)
    .action((options: ByEmail & { reason: string }) =>
      run(options, async (core) => {
        const { uuid, email } = await userOf(core, options.email)
        const workspaces = (await core.workspaces.listOf(uuid)).map((each) => each.uuid)
        await core.recorded(
          () => core.removal.remove(uuid, options.reason),
          () => ({ operation: 'user remove', workspaces, resources: [uuid] }),
        )
        await core.removal.erase(uuid)
        return { text: line`Removed ${email}`, json: { email, removed: true } }
      }),
    )
  user
    .command('confirm')
    .description('mark the email address of an account as confirmed')
    .requiredOption('--email <email>')
    .addOption(jsonOption)
    .action((options: ByEmail) =>
      run(options, async (core) => {
        const { uuid, email, firstWorkspace } = await userOf(core, options.email)
        await core.recorded(
          () => core.accounts.confirm(uuid),
          () => ({ operation: 'user confirm', workspaces: [firstWorkspace], resources: [uuid] }),
        )
        return { text: line`Confirmed ${email}`, json: { email, confirmed: true } }
      }),
    )
  user
    .command('reset-link')
    .description('print a link that sets a new password, valid for 1 hour')
    .requiredOption('--email <email>')
    .addOption(jsonOption)
    .action((options: ByEmail) =>
      run(options, async (core) => {
        const row = await userOf(core, options.email)
        const { url, expiresAtMs } = await core.recorded(
          () => core.recovery.createResetLink(row),
          () => ({ operation: 'user reset-link', workspaces: [row.firstWorkspace], resources: [row.uuid] }),
        )
        return { text: url, json: { email: row.email, url, expires_at: isoTime(expiresAtMs) } }
      }),
    )
  user
    .command('reset-second-factor')
    .description('remove the second factor of a user who lost it')
    .requiredOption('--email <email>')
    .addOption(jsonOption)
    .action((options: ByEmail) =>
      run(options, async (core) => {
        const { uuid, email, firstWorkspace } = await userOf(core, options.email)
        const removed = await core.recorded(
          () => core.factors.reset(uuid),
          (isRemoved) => ({
            operation: 'user reset-second-factor',
            workspaces: isRemoved ? [firstWorkspace] : [],
            resources: [uuid],
          }),
        )
        const text = removed
          ? line`Removed the second factor of ${email}`
          : line`${email} has no second factor`
        return { text, json: { email, removed } }
      }),
    )
  signInCommands(user)
  return user
}

function createCommand(user: Command): void {
  user
    .command('create')
    .description('create an account')
    .requiredOption('--email <email>')
    .option('--password <password>', 'the password; if omitted, you are prompted for it')
    .option('--password-stdin', 'read the password from standard input')
    .option('--first-name <name>')
    .option('--last-name <name>')
    .addOption(jsonOption)
    .action((options: ByEmail & PasswordOptions & { firstName?: string; lastName?: string }) =>
      run(options, async (core) => {
        const password = await readPassword(options)
        const { email, firstName: first_name, lastName: last_name } = options
        const fields = await checked('signUp', { email, password, first_name, last_name })
        const row = await core.recorded(
          () => core.accounts.create(fields, true),
          ({ uuid }) => ({ operation: 'user create', workspaces: [uuid], resources: [uuid] }),
        )
        return { text: line`Created ${row.email}`, json: { uuid: row.uuid, ...core.accounts.present(row) } }
      }),
    )
}

/** Sign-in commands for instances with an OpenID provider. */
function signInCommands(user: Command): void {
  user
    .command('link-oidc')
    .description('link an identity at the OpenID provider to an account')
    .requiredOption('--email <email>')
    .requiredOption('--subject <subject>', 'the "sub" claim that identifies the user at OIDC_ISSUER')
    .addOption(jsonOption)
    .action((options: ByEmail & { subject: string }) =>
      run(options, async (core) => {
        const { uuid, email, firstWorkspace } = await userOf(core, options.email)
        const { subject } = options
        if (!/^[\x21-\x7e]{1,255}$/.test(subject))
          throw new UsageError('--subject must be 1 to 255 characters of ASCII without spaces')
        const identity = await core.recorded(
          () => core.identities.link(uuid, { subject, email: undefined }),
          (linked) => ({
            operation: 'user link-oidc',
            workspaces: [firstWorkspace],
            resources: [linked.uuid],
          }),
        )
        return {
          text: line`Linked ${subject} at ${identity.issuer} to ${email}`,
          json: { email, subject, issuer: identity.issuer },
        }
      }),
    )
  user
    .command('sign-in-link')
    .description('print a link that signs in once, valid for 1 hour')
    .requiredOption('--email <email>')
    .addOption(jsonOption)
    .action((options: ByEmail) =>
      run(options, async (core) => {
        const { uuid, email, firstWorkspace } = await userOf(core, options.email)
        const { url, expiresAtMs } = await core.recorded(
          () => core.recovery.createSignInLink(uuid),
          () => ({ operation: 'user sign-in-link', workspaces: [firstWorkspace], resources: [uuid] }),
        )
        return { text: url, json: { email, url, expires_at: isoTime(expiresAtMs) } }
      }),
    )
}

function listCommand(user: Command): void {
  user
    .command('list')
    .description('list all accounts, or the members of a workspace')
    .option('--workspace <uuid>', 'its members and their roles')
    .addOption(jsonOption)
    .action((options: Output & { workspace?: string }) =>
      run(options, async (core) => {
        const { workspace } = options
        if (workspace !== undefined) return memberList(core, (await workspaceOf(core, { workspace })).uuid)
        const json: { email: string; plan: string; confirmed_at: string | null; created_at: string }[] = []
        for (let after = ''; ;) {
          const rows = await core.users.listAfter(after, USERS_AT_ONCE)
          for (const { uuid, email, confirmed_at, created_at } of rows)
            json.push({
              email,
              plan: (await core.workspaces.firstOf(uuid))?.plan ?? '',
              confirmed_at: isoTimeOrNull(confirmed_at),
              created_at: isoTime(created_at),
            })
          const last = rows.at(-1)
          if (last === undefined) break
          after = last.uuid
        }
        return { text: table(json.map(({ email, plan, created_at }) => [email, plan, created_at])), json }
      }),
    )
}

async function memberList(core: Services, workspaceUuid: string): Promise<CommandOutput> {
  const members = await core.workspaces.listMembers(workspaceUuid)
  const json = members.map(({ email, role, created_at }) => ({ email, role, joined_at: isoTime(created_at) }))
  return { text: table(json.map(({ email, role, joined_at }) => [email, role, joined_at])), json }
}

interface PasswordOptions {
  readonly password?: string
  readonly passwordStdin?: boolean
}

/** The password from the option, from standard input, or from a prompt without echo. */
async function readPassword({ password, passwordStdin }: PasswordOptions): Promise<string> {
  if (password !== undefined) return password
  if (passwordStdin === true) return (await text(process.stdin)).replace(/\r?\n$/, '')
  if (!process.stdin.isTTY)
    throw new UsageError('give --password, or --password-stdin and the password on standard input')
  return ask('Password: ', true)
}
