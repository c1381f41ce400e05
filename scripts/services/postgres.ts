import { execFile } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { postgresBinaries, unprivilegedUser } from './postgres-binaries.ts'
import { ServerProcess, freePort } from './server-process.ts'
import type { Service } from './server-process.ts'

const run = promisify(execFile)
const PASSWORD = 'waymark'

export interface PostgresService extends Service {
  /** For what an ordinary role may not do: terminating backends, changing settings. */
  readonly adminUrl: string
  /** A new empty database of the ordinary role; its address. */
  createDatabase(): Promise<string>
  dropDatabase(url: string): Promise<void>
}

/** A real PostgreSQL of its own, on a free port; `settings` as in postgresql.conf. */
export async function startPostgres(settings: Record<string, string> = {}): Promise<PostgresService> {
  const folder = await mkdtemp(join(tmpdir(), 'waymark-postgres-'))
  try {
    return await startIn(folder, settings)
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

async function startIn(folder: string, settings: Record<string, string>): Promise<PostgresService> {
  await chmod(folder, 0o755)
  const user = unprivilegedUser()
  const binaries = await postgresBinaries(join(folder, 'native'))
  const data = join(folder, 'data')
  await initialise(binaries.initdb, folder, data, user)
  const port = await freePort()
  const server = new ServerProcess({
    file: binaries.postgres,
    args: ['-D', data, '-p', `${port}`, '-k', '', ...flags(settings)],
    ready: /ready to accept connections/,
    endSignal: 'SIGINT',
    ...user,
  })
  await server.start()
  const adminUrl = `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`
  await ask(adminUrl, `create role waymark login createdb password '${PASSWORD}'`)
  const databases = new Databases(adminUrl, port)
  return {
    url: await databases.create(),
    adminUrl,
    port,
    createDatabase: () => databases.create(),
    dropDatabase: (url) => databases.drop(url),
    halt: (signal) => server.end(signal),
    resume: () => server.start(),
    freeze: () => server.signal('SIGSTOP'),
    thaw: () => server.signal('SIGCONT'),
    async stop() {
      await server.dispose()
      await rm(folder, { recursive: true, force: true })
    },
  }
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
  // The plainest locale there is: what works here works on every server.
  await run(initdb, [`--pgdata=${data}`, ...options, '--encoding=UTF8', '--locale=C'], {
    ...user,
    cwd: folder,
  })
}

function flags(settings: Record<string, string>): string[] {
  // The data is thrown away afterwards; losing power during a test is not what it tests.
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

  async create(): Promise<string> {
    const name = `waymark_${++this.#made}`
    await ask(this.#adminUrl, `create database ${name} owner waymark`)
    return `postgres://waymark:${PASSWORD}@127.0.0.1:${this.#port}/${name}`
  }

  async drop(url: string): Promise<void> {
    const name = new URL(url).pathname.slice(1)
    if (!/^waymark_\d+$/.test(name)) throw new Error(`${name} is no database of a test`)
    await ask(this.#adminUrl, `drop database if exists ${name} with (force)`)
  }
}
