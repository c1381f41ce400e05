import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { TestProject } from 'vitest/node'
import { type ClickHouseService, findClickHouse, startClickHouse } from './clickhouse.ts'
import { MigratedDatabases } from './migrated-databases.ts'
import { startPostgres, startStandby } from './postgres.ts'
import type { PostgresService } from './postgres.ts'
import { startRedis } from './redis.ts'
import { startS3 } from './s3.ts'
import type { Service } from './server-process.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where test files request real servers; nothing is started before it is requested. */
    services: string
    /** Whether there is a ClickHouse on this machine. */
    hasClickHouse: boolean
  }
}

const starters: Record<string, () => Promise<Service>> = {
  redis: startRedis,
  s3: startS3,
  postgres: () => startPostgres(),
  clickhouse: () => startClickHouse(),
}

let control: Server | undefined
const shared = new Map<string, Promise<Service>>()
const own = new Map<string, Service>()
const migrated = new MigratedDatabases()
let started = 0

function sharedService(kind: string): Promise<Service> {
  const start = starters[kind]
  if (start === undefined) throw new Error(`There is no service ${kind}`)
  const found = shared.get(kind) ?? start()
  shared.set(kind, found)
  return found
}

async function ownService(kind: string): Promise<object> {
  const service = await (starters[kind] ?? (() => Promise.reject(new Error(`There is no service ${kind}`))))()
  const id = `${++started}`
  own.set(id, service)
  return { id, url: service.url, ...('adminUrl' in service ? { adminUrl: service.adminUrl } : {}) }
}

const commands: Record<string, (service: Service, query: URLSearchParams) => Promise<void> | void> = {
  halt: (service, query) => service.halt((query.get('signal') as NodeJS.Signals | null) ?? undefined),
  resume: (service) => service.resume(),
  freeze: (service) => service.freeze(),
  thaw: (service) => service.thaw(),
  stop: (service) => service.stop(),
}

async function commandOwn(id: string, name: string, query: URLSearchParams): Promise<object> {
  const [service, command] = [own.get(id), commands[name]]
  if (service === undefined || command === undefined) throw new Error(`There is no ${name} of service ${id}`)
  await command(service, query)
  if (name === 'stop') own.delete(id)
  return {}
}

/** A standby of a PostgreSQL that belongs to the caller. */
async function standbyOf(id: string): Promise<object> {
  const primary = own.get(id)
  if (primary === undefined || !('createDatabase' in primary)) throw new Error(`${id} is no PostgreSQL`)
  const standby = await startStandby(primary as PostgresService)
  const standbyId = `${++started}`
  own.set(standbyId, standby)
  return { id: standbyId, url: standby.url, adminUrl: standby.adminUrl }
}

/**
 * `/redis`, `/s3`, `/postgres`: the address of the one all test files share. `/postgres/create`, `/postgres/drop?url=`:
 * an empty database. `/postgres/copy`: one with the tables of this version. `/sqlite`: a data folder with such a database,
 * to be copied. `/clickhouse/create`: an empty database. `/own/<kind>`: one for the caller alone, which `/own/<id>/halt|resume|freeze|thaw|stop` then commands;
 * `/own/<id>/standby`: a replica of it.
 */
async function answer(path: string, query: URLSearchParams): Promise<object> {
  const [first = '', second = '', command = ''] = path.split('/').filter((part) => part !== '')
  if (first === 'own' && command === 'standby') return standbyOf(second)
  if (first === 'own') return command === '' ? ownService(second) : commandOwn(second, command, query)
  if (first === 'sqlite') return { folder: await migrated.folder() }
  const service = await sharedService(first)
  if (second === '') return { url: service.url }
  if (first === 'clickhouse') return { url: await (service as ClickHouseService).createDatabase() }
  const postgres = service as PostgresService
  if (second === 'create') return { url: await postgres.createDatabase() }
  if (second === 'copy') return { url: await postgres.createDatabase(await migrated.template(postgres)) }
  await postgres.dropDatabase(query.get('url') ?? '')
  return {}
}

/** Only tests of ClickHouse are skipped if it is not available, and the line below says so. CI requires it. */
async function hasClickHouse(): Promise<boolean> {
  try {
    await findClickHouse()
    return true
  } catch (error) {
    if (process.env['REQUIRE_CLICKHOUSE'] === '1') throw error
    console.warn(`Left out: tests of ClickHouse. ${error instanceof Error ? error.message : String(error)}`)
    return false
  }
}

export async function setup(project: TestProject): Promise<void> {
  project.provide('hasClickHouse', await hasClickHouse())
  control = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    answer(url.pathname, url.searchParams).then(
      (body) => response.end(JSON.stringify(body)),
      (error: unknown) => {
        response.statusCode = 500
        response.end(error instanceof Error ? error.message : String(error))
      },
    )
  })
  control.listen(0, '127.0.0.1')
  await once(control, 'listening')
  const address = control.address()
  if (address === null || typeof address === 'string') throw new Error('No port was given')
  project.provide('services', `http://127.0.0.1:${address.port}`)
}

export async function teardown(): Promise<void> {
  control?.close()
  control?.closeAllConnections()
  const outcomes = await Promise.allSettled(shared.values())
  const running = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  await Promise.all([migrated.dispose(), ...[...running, ...own.values()].map((service) => service.stop())])
}
