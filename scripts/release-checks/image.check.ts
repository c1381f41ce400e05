import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../e2e/support/waymark.ts'
import { makeBaseImage } from './image/base.ts'
import { Container } from './image/container.ts'
import { makeRelease } from './release-package.ts'
import { type SmokeAccount, smokeTest } from './smoke.ts'
import { printTable } from './table.ts'

/*
 * Builds the image from the context of a release, on a Debian of this machine's own package sources, starts it as the
 * user it names with a root that cannot be written to, uses it, and stops it. Needs root, and `buildah` and `mmdebstrap`
 * from Debian; no daemon.
 */

process.env['STORAGE_DRIVER'] = 'vfs'
process.env['BUILDAH_ISOLATION'] = 'chroot'
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
 * How npm reaches its registry from here: the build needs the same settings and certificates, and the image does not.
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

const folder = await mkdtemp(join(tmpdir(), 'waymark-image-check-'))
let container: Container | undefined
try {
  const file = makeRelease(join(folder, 'release'), 'waymark-image-*.tar.gz')
  const context = join(folder, 'context')
  mkdirSync(context)
  execFileSync('tar', ['-xzf', file, '-C', context])
  const base = makeBaseImage(join(folder, 'base'))
  const settings = [...npmVolumes(folder), '--build-arg', `BASE=${base}`]
  execFileSync('buildah', ['bud', '--quiet', '--format', 'docker', ...settings, '--tag', IMAGE, context], {
    stdio: 'inherit',
  })

  container = new Container(IMAGE, join(folder, 'data'))
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
  if (code !== 0 || seconds > STOP_SECONDS) throw new Error(`It exits ${code} after ${seconds.toFixed(1)} s`)
  const bytes = (image: string): number =>
    Number(
      execFileSync('buildah', ['images', '--json', image], { encoding: 'utf8' }).match(
        /"size": "([\d.]+) MB"/,
      )?.[1],
    )
  printTable(
    ['image', 'seen'],
    [
      ['size of the base', `${bytes(base)} MB`],
      ['size', `${bytes(IMAGE)} MB`],
      ['user', container.user],
      ['first answer after', `${startMs.toFixed(0)} ms`],
      ...seen,
      ['stops after', `${seconds.toFixed(1)} s, exit code ${code}`],
    ],
  )
} finally {
  container?.remove()
  await rm(folder, { recursive: true, force: true })
}
