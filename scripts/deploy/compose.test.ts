import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { configVariables } from '../config-variables.ts'

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

interface Service {
  readonly image?: string
  readonly build?: string
  readonly read_only?: boolean
  readonly tmpfs?: readonly string[]
  readonly cap_drop?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: readonly string[]
  readonly healthcheck?: { readonly test: readonly string[] }
  readonly depends_on?: readonly string[] | Readonly<Record<string, { readonly condition: string }>>
}

/** All keys that our services use; Compose rejects misspelt ones. */
const SERVICE_WORDS = new Set([
  'build',
  'cap_drop',
  'command',
  'depends_on',
  'environment',
  'healthcheck',
  'image',
  'ports',
  'read_only',
  'restart',
  'security_opt',
  'shm_size',
  'stop_grace_period',
  'tmpfs',
  'volumes',
])

interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, unknown>>
}

const sample = new Set([...read('deploy/example.env').matchAll(/^([A-Z\d_]+)=/gm)].map(([, name]) => name))

describe.each(['compose.yml', 'compose.nodes.yml'])('%s', (file) => {
  const text = read(file)
  const compose = parse(text, { merge: true }) as Compose
  const services = Object.entries(compose.services)

  it('has only valid keys', () => {
    const top = Object.keys(compose).filter((word) => !word.startsWith('x-'))
    expect(top.toSorted()).toEqual(['services', 'volumes'])
    const words = services.flatMap(([, service]) => Object.keys(service))
    expect(words.filter((word) => !SERVICE_WORDS.has(word))).toEqual([])
  })

  it('runs Waymark unprivileged, on a read-only file system with its data in a volume', () => {
    const nodes = services.filter(([, { image, volumes }]) => image === 'waymark' && volumes !== undefined)
    expect(nodes.length).toBeGreaterThan(0)
    for (const [, node] of nodes) {
      expect(node).toMatchObject({ read_only: true, tmpfs: ['/tmp'], cap_drop: ['ALL'] })
      expect(node.volumes).toEqual([expect.stringMatching(/^\w+:\/data$/)])
    }
  })

  it('pins the version of every image that it does not build', () => {
    const images = services.flatMap(([, { image, build }]) => (build === undefined ? [image] : []))
    expect(images.length).toBeGreaterThan(0)
    for (const image of images) expect(image).toMatch(/:v?\d+\.\d+(\.\d+)?$|@sha256:[\da-f]{64}$/)
  })

  it('uses only variables of deploy/example.env', () => {
    const asked = [...text.matchAll(/\$\{([A-Z\d_]+)/g)].map(([, name]) => name)
    expect(asked.length).toBeGreaterThan(0)
    expect(asked.filter((name) => !sample.has(name))).toEqual([])
  })

  it('sets only existing variables of Waymark', () => {
    const given = services
      .filter(([, { image }]) => image === 'waymark')
      .flatMap(([, { environment = {} }]) => Object.keys(environment))
    expect(given).toContain('BASE_URL')
    expect(given.filter((name) => !configVariables.has(name))).toEqual([])
  })

  it('refers only to defined services and volumes', () => {
    const named = services.flatMap(([, { volumes = [] }]) =>
      volumes.map((volume) => volume.split(':')[0] ?? '').filter((source) => !source.startsWith('.')),
    )
    expect([...new Set(named)].toSorted()).toEqual(Object.keys(compose.volumes).toSorted())
    for (const [, { depends_on: needed = [] }] of services) {
      for (const name of Array.isArray(needed) ? needed : Object.keys(needed))
        expect(compose.services).toHaveProperty(name)
      for (const [name, { condition }] of Array.isArray(needed) ? [] : Object.entries(needed)) {
        expect(['service_healthy', 'service_completed_successfully']).toContain(condition)
        if (condition === 'service_healthy') expect(compose.services[name]).toHaveProperty('healthcheck.test')
      }
    }
  })
})

describe('compose.clickhouse.yml', () => {
  const text = read('compose.clickhouse.yml')
  const { services, volumes } = parse(text, { merge: true }) as Compose
  const nodes = parse(read('compose.nodes.yml'), { merge: true }) as Compose

  it('gives every node of compose.nodes.yml the address of the ClickHouse that it adds', () => {
    const { clickhouse, ...others } = services
    const waymark = Object.entries(nodes.services).filter(
      ([, { image, volumes: own }]) => image === 'waymark' && own,
    )
    expect(Object.keys(others)).toEqual(waymark.map(([name]) => name))
    for (const { environment } of Object.values(others)) {
      const url = String(environment?.['CLICKS_URL']).replace(/\$\{.*\}/, 'secret')
      expect(new URL(url)).toMatchObject({
        username: 'waymark',
        hostname: 'clickhouse',
        port: '8123',
        pathname: '/waymark',
      })
    }
    expect(clickhouse).toMatchObject({
      image: expect.stringMatching(/^clickhouse\/clickhouse-server:\d+\.\d+$/),
      environment: { CLICKHOUSE_USER: 'waymark', CLICKHOUSE_DB: 'waymark' },
      volumes: ['clickhouse:/var/lib/clickhouse'],
    })
    expect(Object.keys(volumes)).toEqual(['clickhouse'])
  })

  it('has only valid keys, and variables of deploy/example.env', () => {
    const words = Object.values(services).flatMap((service) => Object.keys(service))
    expect(words.filter((word) => !SERVICE_WORDS.has(word))).toEqual([])
    expect([...text.matchAll(/\$\{([A-Z\d_]+)/g)].filter(([, name]) => !sample.has(name))).toEqual([])
  })
})

describe('deploy/example.env', () => {
  it('has no unused variable, and no secret', () => {
    const asked = read('compose.yml') + read('compose.nodes.yml') + read('compose.clickhouse.yml')
    expect([...sample].filter((name) => !asked.includes(`\${${name}`))).toEqual([])
    for (const name of [
      'POSTGRES_PASSWORD',
      'SECRET_KEY',
      'S3_SECRET',
      'METRICS_TOKEN',
      'CLICKHOUSE_PASSWORD',
    ])
      expect(read('deploy/example.env')).toMatch(new RegExp(`^${name}=$`, 'm'))
  })
})
