import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { configVariables } from '../config-variables.ts'

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

/** The keys of our container; the API rejects misspelt ones. */
const CONTAINER_WORDS = [
  'envFrom',
  'image',
  'lifecycle',
  'livenessProbe',
  'name',
  'ports',
  'readinessProbe',
  'resources',
  'securityContext',
  'startupProbe',
  'volumeMounts',
]

describe('deploy/kubernetes', () => {
  it('has the kinds that it needs, each in its stable version', () => {
    const kinds = manifests.map(({ apiVersion, kind, metadata }) => `${apiVersion} ${kind} ${metadata.name}`)
    expect(kinds.toSorted()).toEqual([
      'apps/v1 StatefulSet waymark',
      'monitoring.coreos.com/v1 PodMonitor waymark',
      'networking.k8s.io/v1 Ingress waymark',
      'policy/v1 PodDisruptionBudget waymark',
      'v1 ConfigMap waymark',
      'v1 Secret waymark',
      'v1 Service waymark',
      'v1 Service waymark-nodes',
    ])
  })

  it('has one container, whose probes use existing paths', () => {
    const { containers } = named('StatefulSet', 'waymark')['spec'].template.spec
    expect(containers).toHaveLength(1)
    const [container] = containers
    expect(Object.keys(container).toSorted()).toEqual(CONTAINER_WORDS)
    const probed = ['livenessProbe', 'readinessProbe', 'startupProbe'].map(
      (probe) => container[probe].httpGet,
    )
    const port = container.ports[0].name
    // Without its database a node still redirects from its cache, so only the start waits for `/readyz`.
    expect(probed).toEqual([
      { path: '/livez', port },
      { path: '/livez', port },
      { path: '/readyz', port },
    ])
  })

  it('runs unprivileged, on a read-only file system with a volume for the data of each node', () => {
    const { template, volumeClaimTemplates } = named('StatefulSet', 'waymark')['spec']
    const [container] = template.spec.containers
    expect(template.spec).toMatchObject({ automountServiceAccountToken: false })
    expect(template.spec.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: 1000,
      fsGroup: 1000,
    })
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(container.volumeMounts).toContainEqual({ name: 'data', mountPath: '/data' })
    expect(volumeClaimTemplates[0].spec.accessModes).toEqual(['ReadWriteOnce'])
  })

  it('gives a node enough time to stop, after proxies have noticed', () => {
    const { terminationGracePeriodSeconds, containers } = named('StatefulSet', 'waymark')['spec'].template
      .spec
    const [command, seconds] = containers[0].lifecycle.preStop.exec.command
    expect(command).toBe('sleep')
    // The server ends within ten seconds of SIGTERM.
    expect(terminationGracePeriodSeconds).toBeGreaterThan(Number(seconds) + 10)
  })

  it('sets only existing variables', () => {
    const names = [named('ConfigMap', 'waymark')['data'], named('Secret', 'waymark')['stringData']]
    const set = names.flatMap((fields) => Object.keys(fields))
    expect(set).toContain('SECRET_KEY')
    expect(set.filter((name) => !configVariables.has(name))).toEqual([])
  })

  it('has no valid secret', () => {
    const values = Object.values(named('Secret', 'waymark')['stringData'])
    expect(values.filter((value) => !String(value).includes('CHANGE-ME'))).toEqual([])
  })

  it('refers only to defined resources', () => {
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
    const [path] = named('Ingress', 'waymark')['spec'].rules[0].http.paths
    expect(path).toMatchObject({ path: '/', pathType: 'Prefix' })
    const { service } = path.backend
    const served = named('Service', service.name)['spec'].ports.map(({ name }: Manifest) => name)
    expect(served).toContain(service.port.name)
  })

  it('pins the image to a version', () => {
    const { containers } = named('StatefulSet', 'waymark')['spec'].template.spec
    for (const { image } of containers) expect(image).toMatch(/:\d+\.\d+\.\d+$|@sha256:[\da-f]{64}$/)
  })
})
