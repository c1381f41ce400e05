import { execFile } from 'node:child_process'
import { appendFile, chmod, chown, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { postgresBinaries, unprivilegedUser } from './postgres-binaries.ts'
import { ServerProcess, commandsOf, freePort } from './server-process.ts'
import type { Service } from './server-process.ts'

const run = promisify(execFile)
const PASSWORD = 'waymark'

export interface PostgresService extends Service {
  /** For actions that an ordinary role may not do: terminating backends, changing settings. */
  readonly adminUrl: string
  /** Its files. */
  readonly data: string
  /** Creates a database of the ordinary role, empty or a copy of `template`; returns its URL. */
  createDatabase(template?: string): Promise<string>
  dropDatabase(url: string): Promise<void>
}

export interface PostgresStandby extends Service {
  readonly adminUrl: string
}

/** Starts a real PostgreSQL on a free port; `settings` as in postgresql.conf, `onOutput` receives its log. */
export async function startPostgres(
  settings: Record<string, string> = {},
  onOutput: (text: string) => void = () => {},
): Promise<PostgresService> {
  const folder = await mkdtemp(join(tmpdir(), 'waymark-postgres-'))
  try {
    return await startIn(folder, settings, onOutput)
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

async function startIn(
  folder: string,
  settings: Record<string, string>,
  onOutput: (text: string) => void,
): Promise<PostgresService> {
  await chmod(folder, 0o755)
  const user = unprivilegedUser()
  const binaries = await postgresBinaries(join(folder, 'native'))
  const data = join(folder, 'data')
  await initialise(binaries.initdb, folder, data, user)
  const port = await freePort()
  const server = serverOn(binaries.postgres, data, port, settings, user, onOutput)
  await server.start()
  const adminUrl = `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`
  await ask(adminUrl, `create role waymark login createdb password '${PASSWORD}'`)
  const databases = new Databases(adminUrl, port)
  return {
    url: await databases.create(),
    adminUrl,
    port,
    data,
    createDatabase: (template) => databases.create(template),
    dropDatabase: (url) => databases.drop(url),
    ...commandsOf(server, folder),
  }
}

/** A standby that follows the primary by streaming, currently with the same data. */
export async function startStandby(primary: PostgresService): Promise<PostgresStandby> {
  const folder = await mkdtemp(join(tmpdir(), 'waymark-postgres-'))
  await chmod(folder, 0o755)
  const user = unprivilegedUser()
  const { postgres } = await postgresBinaries(join(folder, 'native'))
  const data = join(folder, 'data')
  await primary.halt()
  await cp(primary.data, data, { recursive: true })
  await primary.resume()
  const source = `host=127.0.0.1 port=${primary.port} user=postgres password=${PASSWORD}`
  await appendFile(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`)
  await writeFile(join(data, 'standby.signal'), '')
  if (user.uid !== undefined) await run('chown', ['-R', `${user.uid}:${user.gid}`, data])
  await chmod(data, 0o700)
  const port = await freePort()
  const server = serverOn(postgres, data, port, {}, user)
  await server.start()
  const { pathname } = new URL(primary.url)
  return {
    url: `postgres://waymark:${PASSWORD}@127.0.0.1:${port}${pathname}`,
    adminUrl: `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`,
    port,
    ...commandsOf(server, folder),
  }
}

function serverOn(
  file: string,
  data: string,
  port: number,
  settings: Record<string, string>,
  user: { uid?: number; gid?: number },
  onOutput: (text: string) => void = () => {},
): ServerProcess {
  return new ServerProcess({
    file,
    args: ['-D', data, '-p', `${port}`, '-k', '', ...flags(settings)],
    // A standby accepts connections "read-only".
    ready: /ready to accept (read-only )?connections/,
    endSignal: 'SIGINT',
    onOutput,
    ...user,
  })
}

async function initialise(
  initdb: string,
  folder: string,
  data: string,
  user: { uid?: number; gid?: number },
): Promise<void> {
  await mkdir(data)
  if (user.uid !== undefined && user.gid !== undefined) await chown(data, user.uid, user.gid)
  const passwordFile = join(folder, 'password')
  await writeFile(passwordFile, PASSWORD)
  const options = ['--auth=scram-sha-256', '--username=postgres', `--pwfile=${passwordFile}`, '--no-sync']
  // The simplest locale: what works with it works on every server.
  await run(initdb, [`--pgdata=${data}`, ...options, '--encoding=UTF8', '--locale=C'], {
    ...user,
    cwd: folder,
  })
}

function flags(settings: Record<string, string>): string[] {
  // The data is temporary, and power loss during a test is not tested.
  const all = { fsync: 'off', full_page_writes: 'off', max_connections: '200', ...settings }
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

async function ask(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

class Databases {
  readonly #adminUrl: string
  readonly #port: number
  #made = 0

  constructor(adminUrl: string, port: number) {
    this.#adminUrl = adminUrl
    this.#port = port
  }

  async create(template?: string): Promise<string> {
    const name = `waymark_${++this.#made}`
    const copied = template === undefined ? '' : ` template ${nameOf(template)}`
    // The default strategy writes each page to the log as well, and takes six times the processor time.
    await ask(this.#adminUrl, `create database ${name} owner waymark${copied} strategy file_copy`)
    return `postgres://waymark:${PASSWORD}@127.0.0.1:${this.#port}/${name}`
  }

  async drop(url: string): Promise<void> {
    await ask(this.#adminUrl, `drop database if exists ${nameOf(url)} with (force)`)
  }
}

function nameOf(url: string): string {
  const name = new URL(url).pathname.slice(1)
  if (!/^waymark_\d+$/.test(name)) throw new Error(`${name} is no database of a test`)
  return name
}
