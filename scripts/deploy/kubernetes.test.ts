import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { configVariables } from '../config-variables.ts'
import kubernetes from './kubernetes-schema.json' with { type: 'json' }

const folder = fileURLToPath(new URL('../../deploy/kubernetes/', import.meta.url))

// oxlint-disable-next-line typescript/no-explicit-any -- manifests are looked into freely
type Manifest = Record<string, any>

const manifests = globSync('*.yaml', { cwd: folder })
  .toSorted()
  .flatMap((file) => parseAllDocuments(readFileSync(folder + file, 'utf8')))
  .map((document) => {
    expect(document.errors).toEqual([])
    return document.toJS() as Manifest
  })

function named(kind: string, name: string): Manifest {
  const found = manifests.find((manifest) => manifest['kind'] === kind && manifest['metadata'].name === name)
  if (found === undefined) throw new Error(`There is no ${kind} ${name}`)
  return found
}

const ajv = new Ajv({ strict: false })
for (const [id, schema] of Object.entries(kubernetes.schemas)) ajv.addSchema({ $id: id, ...schema })

/** What the API of Kubernetes would reject; a kind without a schema too. */
function problemsOf(manifest: Manifest): unknown {
  const { apiVersion, kind } = manifest
  const version = String(apiVersion).split('/').at(-1)
  const id = kubernetes.kinds.find((name) => name.endsWith(`.${version}.${kind}`))
  if (id === undefined) return `There is no schema of ${apiVersion} ${kind}`
  const validate = ajv.getSchema(id)
  return validate?.(manifest) === true ? null : validate?.errors
}

describe('deploy/kubernetes', () => {
  it.each(
    manifests.map((manifest) => [`${manifest['kind']} ${manifest['metadata'].name}`, manifest] as const),
  )('%s is as the API describes it', (_name, manifest) => expect(problemsOf(manifest)).toBeNull())

  it('is held to the schema down to the fields of a container', () => {
    const wrong = structuredClone(named('StatefulSet', 'waymark'))
    wrong['spec'].template.spec.containers[0].readynessProbe = {}
    expect(JSON.stringify(problemsOf(wrong))).toContain('readynessProbe')
    const alsoWrong = structuredClone(named('Ingress', 'waymark'))
    delete alsoWrong['spec'].rules[0].http.paths[0].pathType
    expect(JSON.stringify(problemsOf(alsoWrong))).toContain('pathType')
  })

  it('sets only variables that there are', () => {
    const names = [named('ConfigMap', 'waymark')['data'], named('Secret', 'waymark')['stringData']]
    const set = names.flatMap((fields) => Object.keys(fields))
    expect(set).toContain('SECRET_KEY')
    expect(set.filter((name) => !configVariables.has(name))).toEqual([])
  })

  it('has no secret that works', () => {
    const values = Object.values(named('Secret', 'waymark')['stringData'])
    expect(values.filter((value) => !String(value).includes('CHANGE-ME'))).toEqual([])
  })

  it('refers only to what it defines', () => {
    const set = named('StatefulSet', 'waymark')['spec']
    const { containers, volumes } = set.template.spec
    const [{ ports, envFrom, volumeMounts }] = containers
    const labels = set.template.metadata.labels
    named('Service', set.serviceName)
    for (const { configMapRef, secretRef } of envFrom) {
      if (configMapRef !== undefined) named('ConfigMap', configMapRef.name)
      if (secretRef !== undefined) named('Secret', secretRef.name)
    }
    const claims = set.volumeClaimTemplates.map(({ metadata }: Manifest) => metadata.name)
    const provided = new Set([...claims, ...volumes.map(({ name }: Manifest) => name)])
    expect(new Set(volumeMounts.map(({ name }: Manifest) => name))).toEqual(provided)
    for (const [kind, name, selectorOf] of [
      ['Service', 'waymark', (spec: Manifest) => spec['selector']],
      ['Service', 'waymark-nodes', (spec: Manifest) => spec['selector']],
      ['PodDisruptionBudget', 'waymark', (spec: Manifest) => spec['selector'].matchLabels],
      ['PodMonitor', 'waymark', (spec: Manifest) => spec['selector'].matchLabels],
    ] as const)
      expect(labels, kind).toMatchObject(selectorOf(named(kind, name)['spec']))
    const portNames = ports.map(({ name }: Manifest) => name)
    const [endpoint] = named('PodMonitor', 'waymark')['spec'].podMetricsEndpoints
    expect(portNames).toContain(endpoint.port)
    expect(named('Secret', endpoint.authorization.credentials.name)['stringData']).toHaveProperty(
      endpoint.authorization.credentials.key,
    )
    const { service } = named('Ingress', 'waymark')['spec'].rules[0].http.paths[0].backend
    const served = named('Service', service.name)['spec'].ports.map(({ name }: Manifest) => name)
    expect(served).toContain(service.port.name)
  })

  it('pins the image to a version', () => {
    const { containers } = named('StatefulSet', 'waymark')['spec'].template.spec
    for (const { image } of containers) expect(image).toMatch(/:\d+\.\d+\.\d+$|@sha256:[\da-f]{64}$/)
  })
})
