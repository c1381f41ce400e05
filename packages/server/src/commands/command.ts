import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { errorLine, FailedCommand, type Output, UsageError } from '@waymark/cli/terminal'
import type { Body } from '@waymark/contract/schemas'
import { giveUpSent, sentPeriod } from '../clicks/clickhouse/sent-periods.ts'
import type { Modules } from '../compose/modules.ts'
import { type Config, readConfig } from '../config.ts'
import { AppError } from '../net/errors.ts'
import { type Rotated, rotateSecret } from '../storage/rotate-secret.ts'
import { prepareDataFolder } from '../compose/data-folder.ts'
import { startErrorLine } from '../compose/start-error.ts'
import { dataFolder } from '../storage/data-folder.ts'
import type { Database } from '../storage/db/database.ts'

const FAILED = 1
const WRONG_USAGE = 2

/** The parts of the service that commands use. */
export interface Services {
  readonly engine: 'sqlite' | 'postgres'
  readonly users: Modules['accounts']['users']
  readonly workspaces: Modules['accounts']['workspaces']
  readonly accounts: Modules['accounts']['service']
  readonly keys: Modules['keys']['service']
  readonly tokens: Modules['keys']['tokens']
  readonly domains: Modules['domains']['service']
  readonly domainSettings: Modules['domains']['settings']
  readonly abuse: Modules['abuse']
  readonly links: Modules['links']
  readonly clicks: {
    readonly inClickHouse: boolean
    readonly sentPeriod: () => ReturnType<typeof sentPeriod>
    readonly giveUpSent: () => Promise<string[]>
  }
  readonly rotateSecret: () => Promise<Rotated>
  readonly recovery: Modules['sessions']['recovery']
  readonly factors: Modules['factors']['service']
  readonly identities: Modules['identities']['service']
  readonly removal: Modules['accounts']['removal']
  /** Runs a change and stores its audit log entries in the same transaction. */
  readonly recorded: <T>(work: () => Promise<T>, entryOf: (result: T) => CommandEntry) => Promise<T>
}

/** What a command changed, for the audit log. */
interface CommandEntry {
  readonly operation: string
  /** The workspaces whose logs get the entry; changes of the instance are in none. */
  readonly workspaces: readonly (string | null)[]
  readonly resources?: readonly string[]
  readonly fields?: readonly string[]
  readonly details?: Readonly<Record<string, string>>
}

/** The output of a command: for people, and for programs. */
export interface CommandOutput {
  readonly text: string
  readonly json: object
  /** What failed after the change was done. */
  readonly warning?: string
}

/** The change is done: a mail about it that cannot be sent is a warning. */
export const warningOf = (mailed: Promise<void>): Promise<Pick<CommandOutput, 'warning'>> =>
  mailed.then(
    () => ({}),
    (error: unknown) => ({ warning: `the mail to the owner could not be sent: ${(error as Error).message}` }),
  )

/** Runs the work and prints its response, or one line that says why it failed. */
export async function printOutput(
  output: Output,
  work: (config: Config) => Promise<CommandOutput>,
): Promise<void> {
  try {
    const { text, json, warning } = await work(readConfig(process.env))
    console.log(output.json === true ? JSON.stringify(json) : text)
    if (warning !== undefined) process.stderr.write(`waymark: warning: ${warning}\n`)
  } catch (error) {
    const line = error instanceof FailedCommand ? error.message : startErrorLine(error)
    if (line === undefined && output.json !== true) console.error(error)
    else process.stderr.write(errorLine(output.json === true, line ?? 'Unexpected error'))
    process.exitCode = error instanceof UsageError ? WRONG_USAGE : FAILED
  }
}

/** Opens the storage, runs the work, prints its response and closes the storage. */
export function run(output: Output, work: (services: Services) => Promise<CommandOutput>): Promise<void> {
  return printOutput(output, async (config) => {
    await prepareDataFolder(config.dataDir)
    // Uses the compile cache of the last start: a command takes a fraction of the time.
    enableCompileCache(join(config.dataDir, dataFolder.compileCache))
    const [{ openServices }, { pino }] = await Promise.all([import('../compose/services.ts'), import('pino')])
    const opened = await openServices(config, pino({ level: 'warn' }, pino.destination(2)))
    try {
      const { abuse, accounts, audit, keys, domains, links, sessions, factors, identities } = opened.modules
      return await work({
        engine: opened.core.db.engine,
        users: accounts.users,
        workspaces: accounts.workspaces,
        accounts: accounts.service,
        keys: keys.service,
        tokens: keys.tokens,
        domains: domains.service,
        domainSettings: domains.settings,
        abuse,
        links,
        clicks: {
          inClickHouse: config.clicksUrl !== undefined,
          sentPeriod: () => sentPeriod(opened.core.db),
          giveUpSent: () => giveUpSent(opened.core.db),
        },
        rotateSecret: () => rotateSecret(opened.core.db, opened.core.secrets),
        recovery: sessions.recovery,
        factors: factors.service,
        identities: identities.service,
        removal: accounts.removal,
        recorded: recorder(opened.core.db, audit.service, accounts.workspaces),
      })
    } finally {
      await opened.close()
    }
  })
}

const recorder =
  (
    db: Database,
    audit: Modules['audit']['service'],
    workspaces: Services['workspaces'],
  ): Services['recorded'] =>
  (work, entryOf) =>
    db.write(async () => {
      const result = await work()
      const entry = entryOf(result)
      const { resources = [], fields = [], details } = entry
      for (const workspace_uuid of entry.workspaces)
        if (workspace_uuid !== null && (await workspaces.find(workspace_uuid)) !== undefined)
          await audit.record([
            {
              workspace_uuid,
              actor: 'command_line',
              credential_uuid: null,
              user_uuid: null,
              operation: entry.operation,
              resources: JSON.stringify(resources),
              resource_count: resources.length,
              fields: JSON.stringify(fields),
              details: details === undefined ? null : JSON.stringify(details),
              address: null,
              request_id: null,
            },
          ])
      return result
    })

/** Validates the fields of a command with the rules of the API. */
export async function checked<N extends 'signUp' | 'generateKey' | 'generateToken' | 'editDomain'>(
  operation: N,
  fields: object,
): Promise<Body<N>> {
  const { validate, schemas } = await import('@waymark/contract/schemas')
  const input = validate(schemas[operation].body, fields)
  if (!input.ok) throw new AppError('validation', { errors: input.errors })
  return input.value as Body<N>
}

/** Options that select a workspace: its uuid, or the user whose first workspace is meant. */
export interface Named {
  readonly email?: string
  readonly workspace?: string
}

/** The selected workspace: the first one of a user, or another one. */
export async function workspaceOf(core: Services, { email, workspace }: Named) {
  if ((email === undefined) === (workspace === undefined))
    throw new UsageError('Name either --email or --workspace')
  if (workspace === undefined) {
    const owner = await userOf(core, email ?? '')
    return { uuid: firstWorkspaceOf(owner), name: owner.email, owner, what: 'account' }
  }
  const row = await core.workspaces.find(workspace.toLowerCase())
  if (row === undefined) throw new AppError('not_found', { message: `There is no workspace ${workspace}` })
  const { uuid, name } = row
  return { uuid, name, owner: await core.workspaces.oldestOwner(uuid), what: `workspace “${name}”` }
}

/** A user, with the workspace whose audit log has the changes of the user. */
export async function userOf({ users, workspaces }: Services, email: string) {
  const user = await users.findByEmail(email.trim().toLowerCase())
  if (user === undefined) throw new AppError('not_found', { message: `There is no account ${email}` })
  return { ...user, firstWorkspace: (await workspaces.firstOf(user.uuid))?.uuid ?? null }
}

export function firstWorkspaceOf({
  email,
  firstWorkspace,
}: Pick<Awaited<ReturnType<typeof userOf>>, 'email' | 'firstWorkspace'>): string {
  if (firstWorkspace !== null) return firstWorkspace
  throw new AppError('not_found', { message: `${email} is not a member of any workspace` })
}
