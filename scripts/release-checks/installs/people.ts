import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, mkdir } from 'node:fs/promises'
import { join } from 'node:path'

/** The user that runs a command, with a home folder and npm settings. */
export interface Person {
  readonly uid: number
  readonly home: string
  readonly settings: Readonly<Record<string, string>>
}

export interface People {
  readonly root: Person
  readonly user: Person
}

const ROOT_UID = 0
const NOBODY_UID = 65_534
/** How the caller's npm reaches the package registry. */
const NPM_SETTINGS = ['registry', 'cafile', 'proxy', 'https-proxy', 'noproxy']

/** Root and another user; both are the caller if the caller is not root. */
export async function makePeople(folder: string): Promise<People> {
  const self = process.getuid?.() ?? ROOT_UID
  const settings = { ...npmSettings(), ...certificates() }
  const cache = npmSetting('cache')
  const root = await makeHome(join(folder, 'home-root'), self)
  const user = await makeHome(join(folder, 'home-user'), self === ROOT_UID ? NOBODY_UID : self)
  const rootPerson = { uid: self, home: root, settings: { ...settings, npm_config_cache: cache } }
  if (self !== ROOT_UID) return { root: rootPerson, user: { ...rootPerson, home: user } }
  const ownCache = await shareCache(cache, join(user, '.npm'))
  return {
    root: rootPerson,
    user: { uid: NOBODY_UID, home: user, settings: { ...settings, npm_config_cache: ownCache } },
  }
}

async function makeHome(home: string, uid: number): Promise<string> {
  await mkdir(home, { mode: 0o755 })
  await chown(home, uid, uid)
  return home
}

/** A cache for another user: hard links to the packages, so no second copy on disk, and a writable index. */
async function shareCache(from: string, to: string): Promise<string> {
  const [cached, shared] = [join(from, '_cacache'), join(to, '_cacache')]
  await mkdir(shared, { recursive: true })
  if (existsSync(cached)) {
    execFileSync('cp', ['-a', join(cached, 'index-v5'), shared])
    execFileSync('chown', ['-R', `${NOBODY_UID}:${NOBODY_UID}`, to])
    execFileSync('cp', ['-al', join(cached, 'content-v2'), shared])
  }
  execFileSync('find', [to, '-type', 'd', '-exec', 'chown', `${NOBODY_UID}:${NOBODY_UID}`, '{}', '+'])
  return to
}

const npmSetting = (name: string): string =>
  execFileSync('npm', ['config', 'get', name], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim()

/** Additional certificate authorities of the caller's Node, as behind a company's proxy. */
const certificates = (): Record<string, string> => {
  const file = process.env['NODE_EXTRA_CA_CERTS']
  return file === undefined ? {} : { NODE_EXTRA_CA_CERTS: file }
}

function npmSettings(): Record<string, string> {
  const pairs = NPM_SETTINGS.map((name) => [`npm_config_${name.replaceAll('-', '_')}`, npmSetting(name)])
  return Object.fromEntries(
    pairs.filter(([, value]) => value !== 'null' && value !== 'undefined' && value !== ''),
  )
}
