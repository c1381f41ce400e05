import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../e2e/support/waymark.ts'
import { copyContext } from '../release/docker-build.ts'
import { makeBaseImage } from './image/base.ts'
import { Container } from './image/container.ts'
import { makeRelease } from './release-package.ts'
import { type SmokeAccount, smokeTest } from './smoke.ts'
import { printTable } from './table.ts'

/*
 * Builds both images that docs/installing.md describes: that of a clone (`docker build .`) and that of a release's image
 * context. The base is a Debian from this machine's own package sources. Each image is started as its user with a read-only
 * root, used, and stopped. Needs root, and `buildah` and `mmdebstrap` from
 * Debian; no daemon.
 */

process.env['STORAGE_DRIVER'] = 'vfs'
process.env['BUILDAH_ISOLATION'] = 'chroot'
const root = fileURLToPath(new URL('../../', import.meta.url))
const IMAGE = 'localhost/waymark'
const STOP_SECONDS = 10
const START_MS = 30_000

for (const program of ['buildah', 'mmdebstrap', 'unshare']) {
  if (spawnSync(program, ['--version']).error === undefined) continue
  console.error(`${program} is not installed: apt-get install buildah mmdebstrap util-linux`)
  process.exit(1)
}

const untilLive = async (url: string): Promise<number> => {
  const startedAt = performance.now()
  while (performance.now() - startedAt < START_MS) {
    if (
      await fetch(`${url}/livez`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return performance.now() - startedAt
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`${url} does not answer within ${START_MS} ms`)
}

/**
 * How npm reaches its registry from here: the build needs the same settings and certificates, but the image does not.
 */
const npmVolumes = (into: string): string[] => {
  const own = execFileSync('npm', ['config', 'get', 'userconfig'], { encoding: 'utf8' }).trim()
  const certificates = process.env['NODE_EXTRA_CA_CERTS']
  const lines = existsSync(own) ? [readFileSync(own, 'utf8')] : []
  const volumes = ['--volume', `${join(into, 'npmrc')}:/root/.npmrc:ro`]
  if (certificates !== undefined) {
    lines.push('cafile=/run/certificates.crt')
    volumes.push('--volume', `${realpathSync(certificates)}:/run/certificates.crt:ro`)
  }
  writeFileSync(join(into, 'npmrc'), `${lines.join('\n')}\n`)
  return volumes
}

/** Builds an image, starts it, uses it and stops it; returns the results. */
async function tryImage(context: string, base: string, dataDir: string): Promise<string[][]> {
  const settings = [...npmVolumes(folder), '--build-arg', `BASE=${base}`]
  execFileSync('buildah', ['bud', '--quiet', '--format', 'docker', ...settings, '--tag', IMAGE, context], {
    stdio: 'inherit',
  })
  const container = new Container(IMAGE, dataDir)
  try {
    const port = await freePort()
    const url = `http://localhost:${port}`
    container.start({ PORT: String(port) })
    const startMs = await untilLive(url)
    container.run('user', 'create', '--email', 'a@example.com', '--password', 'Smoke-test-1', '--json')
    const account = JSON.parse(
      container.run('key', 'create', '--email', 'a@example.com', '--json'),
    ) as SmokeAccount
    const seen = await smokeTest(url, account)
    const { code, seconds } = await container.stop()
    if (code !== 0 || seconds > STOP_SECONDS)
      throw new Error(`It exits ${code} after ${seconds.toFixed(1)} s`)
    return [
      ['size', sizeOf(IMAGE)],
      ['user', container.user],
      ['first answer after', `${startMs.toFixed(0)} ms`],
      ...seen,
      ['stops after', `${seconds.toFixed(1)} s, exit code ${code}`],
    ]
  } finally {
    container.remove()
  }
}

const sizeOf = (image: string): string => {
  const listed = execFileSync('buildah', ['images', '--json', image], { encoding: 'utf8' })
  return /"size": "([\d.]+ MB)"/.exec(listed)?.[1] ?? 'unknown'
}

const folder = await mkdtemp(join(tmpdir(), 'waymark-image-check-'))
try {
  const clone = join(folder, 'clone')
  copyContext(root, clone)
  const released = join(folder, 'context')
  mkdirSync(released)
  execFileSync('tar', [
    '-xzf',
    makeRelease(join(folder, 'release'), 'waymark-image-*.tar.gz'),
    '-C',
    released,
  ])
  const base = makeBaseImage(join(folder, 'base'))
  console.log(`The base image is ${sizeOf(base)}`)
  for (const [name, context] of Object.entries({ clone, released })) {
    const seen = await tryImage(context, base, join(folder, `data-${name}`))
    printTable([`image of a ${name === 'clone' ? 'clone' : 'release'}`, 'seen'], seen)
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
