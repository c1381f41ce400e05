import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { configVariables } from '../config-variables.ts'
import schema from './compose-schema.json' with { type: 'json' }

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

interface Service {
  readonly image?: string
  readonly build?: string
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: readonly string[]
  readonly depends_on?: readonly string[] | Readonly<Record<string, unknown>>
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, unknown>>
}

const validate = new Ajv({ strict: false, logger: false }).compile(schema)
const sample = new Set([...read('deploy/example.env').matchAll(/^([A-Z\d_]+)=/gm)].map(([, name]) => name))

describe.each(['compose.yml', 'compose.nodes.yml'])('%s', (file) => {
  const text = read(file)
  const compose = parse(text, { merge: true }) as Compose
  const services = Object.entries(compose.services)

  it('is as the Compose specification describes it', () => {
    validate(compose)
    expect(validate.errors).toBeNull()
    const [name = '', service] = services[0] ?? []
    expect(validate({ services: { [name]: { ...service, enviroment: {} } } })).toBe(false)
  })

  it('pins every image that it does not build to a version', () => {
    const images = services.flatMap(([, { image, build }]) => (build === undefined ? [image] : []))
    expect(images.length).toBeGreaterThan(0)
    for (const image of images) expect(image).toMatch(/:v?\d+\.\d+(\.\d+)?$|@sha256:[\da-f]{64}$/)
  })

  it('asks only for variables that deploy/example.env names', () => {
    const asked = [...text.matchAll(/\$\{([A-Z\d_]+)/g)].map(([, name]) => name)
    expect(asked.length).toBeGreaterThan(0)
    expect(asked.filter((name) => !sample.has(name))).toEqual([])
  })

  it('gives Waymark only variables that there are', () => {
    const given = services
      .filter(([, { image }]) => image === 'waymark')
      .flatMap(([, { environment = {} }]) => Object.keys(environment))
    expect(given).toContain('BASE_URL')
    expect(given.filter((name) => !configVariables.has(name))).toEqual([])
  })

  it('refers only to services and volumes that it defines', () => {
    const named = services.flatMap(([, { volumes = [] }]) =>
      volumes.map((volume) => volume.split(':')[0] ?? '').filter((source) => !source.startsWith('.')),
    )
    expect([...new Set(named)].toSorted()).toEqual(Object.keys(compose.volumes).toSorted())
    for (const [, { depends_on: needed = [] }] of services)
      for (const name of Array.isArray(needed) ? needed : Object.keys(needed))
        expect(compose.services).toHaveProperty(name)
  })
})

describe('deploy/example.env', () => {
  it('has no variable that no file asks for, and no secret', () => {
    const asked = read('compose.yml') + read('compose.nodes.yml')
    expect([...sample].filter((name) => !asked.includes(`\${${name}`))).toEqual([])
    for (const name of ['POSTGRES_PASSWORD', 'SECRET_KEY', 'S3_SECRET', 'METRICS_TOKEN'])
      expect(read('deploy/example.env')).toMatch(new RegExp(`^${name}=$`, 'm'))
  })
})
