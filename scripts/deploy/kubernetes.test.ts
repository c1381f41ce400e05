import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { configVariables } from '../config-variables.ts'

const folder = fileURLToPath(new URL('../../deploy/kubernetes/', import.meta.url))

// oxlint-disable-next-line typescript/no-explicit-any -- manifests are looked into freely
type Manifest = Record<string, any>

const manifestsIn = (file: string): Manifest[] =>
  parseAllDocuments(readFileSync(join(folder, file), 'utf8')).map((document) => {
    expect(document.errors).toEqual([])
    return document.toJS() as Manifest
  })

/** What `kubectl apply -k` applies: the resources of a kustomization, and of those that it refers to. */
function appliedBy(name: string): Manifest[] {
  const [kustomization = {}] = manifestsIn(join(name, 'kustomization.yaml'))
  expect(kustomization).toMatchObject({
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    resources: expect.any(Array),
  })
  expect(Object.keys(kustomization)).toHaveLength(3)
  return (kustomization['resources'] as string[]).flatMap((resource) =>
    resource.endsWith('.yaml') ? manifestsIn(join(name, resource)) : appliedBy(join(name, resource)),
  )
}

const kindsOf = (list: readonly Manifest[]): string[] =>
  list.map(({ apiVersion, kind, metadata }) => `${apiVersion} ${kind} ${metadata.name}`).toSorted()

const BASE = [
  'apps/v1 StatefulSet waymark',
  'policy/v1 PodDisruptionBudget waymark',
  'v1 ConfigMap waymark',
  'v1 Secret waymark',
  'v1 Service waymark',
  'v1 Service waymark-nodes',
]

const manifests = ['ingress', 'gateway', 'monitoring'].flatMap(appliedBy)

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
  it('has overlays of stable kinds; only those named after an extension need one', () => {
    expect(kindsOf(appliedBy('base'))).toEqual(BASE)
    expect(kindsOf(appliedBy('ingress'))).toEqual(
      [...BASE, 'networking.k8s.io/v1 Ingress waymark'].toSorted(),
    )
    const gateway = ['Gateway waymark', 'HTTPRoute waymark', 'HTTPRoute waymark-to-https']
    const inGateway = gateway.map((kind) => `gateway.networking.k8s.io/v1 ${kind}`)
    expect(kindsOf(appliedBy('gateway'))).toEqual([...BASE, ...inGateway].toSorted())
    expect(kindsOf(appliedBy('monitoring'))).toEqual(['monitoring.coreos.com/v1 PodMonitor waymark'])
  })

  it('has no file that no overlay applies', () => {
    const files = globSync('**/*.yaml', { cwd: folder }).filter(
      (file) => !file.endsWith('kustomization.yaml'),
    )
    const all = files.flatMap((file) => kindsOf(manifestsIn(file)))
    expect([...new Set(kindsOf(manifests))].toSorted()).toEqual(all.toSorted())
  })

  it('names no Ingress controller, and no annotation of one', () => {
    const { metadata, spec } = named('Ingress', 'waymark')
    expect([metadata.annotations, spec.ingressClassName]).toEqual([undefined, undefined])
  })

  it('routes from the Gateway to the Service, and from HTTP to HTTPS', () => {
    const { listeners } = named('Gateway', 'waymark')['spec']
    for (const [name, protocol] of [
      ['waymark', 'HTTPS'],
      ['waymark-to-https', 'HTTP'],
    ] as const) {
      const { parentRefs, hostnames } = named('HTTPRoute', name)['spec']
      const [{ name: gateway, sectionName }] = parentRefs
      named('Gateway', gateway)
      const listener = listeners.find((each: Manifest) => each['name'] === sectionName)
      expect([listener.protocol, listener.hostname]).toEqual([protocol, hostnames[0]])
    }
    const [{ backendRefs }] = named('HTTPRoute', 'waymark')['spec'].rules
    const ports = named('Service', backendRefs[0].name)['spec'].ports.map(({ port }: Manifest) => port)
    expect(ports).toContain(backendRefs[0].port)
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
