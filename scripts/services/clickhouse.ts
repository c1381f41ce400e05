import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { needProgram } from './programs.ts'
import { ServerProcess, commandsOf, freePort } from './server-process.ts'
import type { Service } from './server-process.ts'

const USER = 'waymark'
const PASSWORD = 'waymark'

export interface ClickHouseService extends Service {
  /** Creates an empty database; returns its URL in the format of `CLICKS_URL`. */
  createDatabase(): Promise<string>
}

/** The path of a ClickHouse server: 18.16 of Debian 12, or newer. */
export function findClickHouse(): Promise<string> {
  return needProgram(['clickhouse-server'], 'clickhouse-server')
}

/** Starts a real ClickHouse on free ports, with few threads and little memory. */
export async function startClickHouse(parent = tmpdir()): Promise<ClickHouseService> {
  const file = await findClickHouse()
  const folder = await mkdtemp(join(parent, 'waymark-clickhouse-'))
  const [port, tcpPort] = [await freePort(), await freePort()]
  await mkdir(join(folder, 'data'))
  await writeFile(join(folder, 'config.xml'), config(folder, port, tcpPort))
  await writeFile(join(folder, 'users.xml'), USERS)
  const server = new ServerProcess({
    file,
    args: [`--config-file=${join(folder, 'config.xml')}`],
    ready: /Ready for connections/,
    // 18.16 does not always end on SIGTERM. Acknowledged data is in files.
    endSignal: 'SIGKILL',
  })
  await server.start()
  let made = 0
  const address = (database: string): string => `http://${USER}:${PASSWORD}@127.0.0.1:${port}/${database}`
  return {
    url: address('default'),
    port,
    async createDatabase() {
      const name = `waymark_${++made}`
      const response = await fetch(`http://127.0.0.1:${port}/?user=${USER}&password=${PASSWORD}`, {
        method: 'POST',
        body: `create database ${name}`,
      })
      if (!response.ok) throw new Error(await response.text())
      return address(name)
    },
    ...commandsOf(server, folder),
  }
}

const config = (folder: string, port: number, tcpPort: number): string => `<?xml version="1.0"?>
<yandex>
  <logger><level>information</level><console>1</console></logger>
  <http_port>${port}</http_port>
  <tcp_port>${tcpPort}</tcp_port>
  <listen_host>127.0.0.1</listen_host>
  <path>${folder}/data/</path>
  <tmp_path>${folder}/tmp/</tmp_path>
  <users_config>${folder}/users.xml</users_config>
  <default_profile>default</default_profile>
  <default_database>default</default_database>
  <mark_cache_size>16777216</mark_cache_size>
  <uncompressed_cache_size>0</uncompressed_cache_size>
  <max_concurrent_queries>50</max_concurrent_queries>
  <background_pool_size>2</background_pool_size>
</yandex>
`

const USERS = `<?xml version="1.0"?>
<yandex>
  <profiles><default>
    <max_memory_usage>1000000000</max_memory_usage>
    <max_threads>2</max_threads>
    <background_pool_size>2</background_pool_size>
    <background_schedule_pool_size>2</background_schedule_pool_size>
    <log_queries>0</log_queries>
  </default></profiles>
  <users><${USER}>
    <password>${PASSWORD}</password>
    <networks><ip>127.0.0.1</ip></networks>
    <profile>default</profile>
    <quota>default</quota>
  </${USER}></users>
  <quotas><default /></quotas>
</yandex>
`
