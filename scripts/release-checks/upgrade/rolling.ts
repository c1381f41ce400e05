import assert from 'node:assert/strict'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { get, post } from '../../../e2e/support/requests.ts'
import { type Account, startWaymark, type Waymark } from '../../../e2e/support/waymark.ts'
import { startPostgres } from '../../services/postgres.ts'
import { startRedis } from '../../services/redis.ts'
import { startS3 } from '../../services/s3.ts'
import { createAccount } from '../account.ts'
import type { Steps } from '../steps.ts'
import { BASE_URL, createBelongings, readBelongings, visit } from '../../../e2e/support/belongings.ts'
import { mustRefuse } from './one-machine.ts'
import type { Versions } from './versions.ts'

/** How long a change may take to reach another node, with a large margin for a busy machine. */
const SPREADS_MS = 20_000

/** docs/upgrading.md, "Several nodes on PostgreSQL": two versions side by side, with requests all the time. */
export async function upgradeNodes(
  folder: string,
  { earlier, later }: Versions,
  steps: Steps,
): Promise<void> {
  await using services = new AsyncDisposableStack()
  const [postgres, redis, s3] = await Promise.all([startPostgres(), startRedis(), startS3()])
  for (const service of [postgres, redis, s3]) services.defer(() => service.stop())
  const settings = async (): Promise<Record<string, string>> => ({
    DATA_DIR: await mkdtemp(join(folder, 'node-')),
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    S3_URL: s3.url,
    SECRET_KEY: 'a secret of this check alone',
    BASE_URL,
  })
  const oldNode = await steps.take('PostgreSQL: a node of 1.0.0', async () =>
    startWaymark(await settings(), earlier),
  )
  services.defer(() => void oldNode.end('SIGKILL'))
  const account = await createAccount(oldNode)
  await createBelongings(oldNode, account)
  const before = await readBelongings(oldNode, account)

  const load = new Load(oldNode, account)
  const newNode = await steps.take(
    'a node of 1.1.0 beside it changes the schema, while 1.0.0 serves',
    async () => {
      await load.begin()
      const started = await startWaymark(await settings(), later)
      await load.more()
      return started
    },
    () => `${load.requests} requests to 1.0.0, none failed`,
  )
  services.defer(() => void newNode.end('SIGKILL'))
  await steps.take('both read what was there before', async () => {
    await load.end()
    for (const node of [oldNode, newNode]) {
      assert.deepEqual(await withoutLinks(node, account), dropLinks(before))
      await visit(node, 'kept')
    }
  })
  await steps.take('a change on either reaches visitors of the other', async () => {
    await changeReaches(oldNode, newNode, account)
    await changeReaches(newNode, oldNode, account)
  })
  await steps.take('1.0.0 ends; started again, it refuses the newer schema in one line', async () => {
    assert.equal(await oldNode.end('SIGTERM'), 0)
    await mustRefuse(oldNode.env, earlier)
    await visit(newNode, 'kept')
  })
  assert.equal(await newNode.end('SIGTERM'), 0)
}

const dropLinks = (read: Record<string, unknown>): Record<string, unknown> => ({ ...read, '/v1/links': [] })

/** The requests of the load create links, so lists of links are different afterwards. */
const withoutLinks = async (node: Waymark, account: Account): Promise<Record<string, unknown>> =>
  dropLinks(await readBelongings(node, account))

async function changeReaches(from: Waymark, to: Waymark, account: Account): Promise<void> {
  const created = await post(from, account, '/v1/generate-link', { link: 'https://example.com/first' })
  const { uuid, code } = created.body.data as { uuid: string; code: string }
  assert.equal(await destinationOn(to, code), 'https://example.com/first')
  const link = 'https://example.com/second'
  const edited = await post(from, account, '/v1/edit-links', { uuid, link })
  assert.equal(edited.status, 200, JSON.stringify(edited.body))
  const deadline = Date.now() + SPREADS_MS
  while ((await destinationOn(to, code)) !== link) {
    assert.ok(Date.now() < deadline, `the edit did not reach ${to.url}`)
    await delay(50)
  }
}

async function destinationOn(node: Waymark, code: string): Promise<string | null> {
  const { headers } = await fetch(`${node.url}/${code}`, { redirect: 'manual' })
  return headers.get('location')
}

/** Visits, reads and writes, one after another, each of which must succeed. */
class Load {
  readonly #node: Waymark
  readonly #account: Account
  readonly #ending = new AbortController()
  #running: Promise<void> = Promise.resolve()
  requests = 0

  constructor(node: Waymark, account: Account) {
    this.#node = node
    this.#account = account
  }

  /** Returns after a successful round, so that statements are prepared. */
  async begin(): Promise<void> {
    await this.#round()
    this.#running = this.#run()
    this.#running.catch(() => undefined)
  }

  /** Waits for some more rounds. */
  async more(): Promise<void> {
    const goal = this.requests + 50
    while (this.requests < goal) await Promise.race([delay(50), this.#running])
  }

  end(): Promise<void> {
    this.#ending.abort()
    return this.#running
  }

  async #run(): Promise<void> {
    while (!this.#ending.signal.aborted) await this.#round()
  }

  async #round(): Promise<void> {
    const node = this.#node
    await visit(node, 'kept')
    const created = await post(node, this.#account, '/v1/generate-link', { link: 'https://example.com/load' })
    assert.equal(created.status, 201, JSON.stringify(created.body))
    const { uuid } = created.body.data as { uuid: string }
    const edited = await post(node, this.#account, '/v1/edit-links', {
      uuid,
      link: 'https://example.com/edit',
    })
    assert.equal(edited.status, 200, JSON.stringify(edited.body))
    const listed = await get(node, this.#account, `/v1/links?uuid=${uuid}`)
    assert.equal(listed.status, 200, JSON.stringify(listed.body))
    this.requests += 4
  }
}
