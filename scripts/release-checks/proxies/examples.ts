import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort, start } from '../https/children.ts'

/** The host in the examples of deploy/. */
export const HOST = 'go.example.com'
const deploy = fileURLToPath(new URL('../../../deploy/', import.meta.url))

/** A proxy that runs with an example of deploy/. */
export interface Proxy {
  readonly name: string
  readonly httpPort: number
  readonly httpsPort: number
}

/** Replaces texts that differ on this machine; a text that the example does not contain is an error. */
function adapt(file: string, replacements: readonly (readonly [string, string])[]): string {
  let text = readFileSync(join(deploy, file), 'utf8')
  for (const [from, to] of replacements) {
    if (!text.includes(from)) throw new Error(`${file} has no ${JSON.stringify(from)}`)
    text = text.replaceAll(from, to)
  }
  return text
}

export async function startNginx(program: string, folder: string, port: number): Promise<Proxy> {
  const [httpPort, httpsPort] = [await freePort(), await freePort()]
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const words = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', `/CN=${HOST}`]
  execFileSync('openssl', [...words, '-keyout', key, '-out', certificate], { stdio: 'pipe' })
  const example = adapt('nginx/waymark.conf', [
    ['listen 80;', `listen ${httpPort};`],
    ['listen 443 ', `listen ${httpsPort} `],
    ['127.0.0.1:3000', `127.0.0.1:${port}`],
    [`/etc/letsencrypt/live/${HOST}/fullchain.pem`, certificate],
    [`/etc/letsencrypt/live/${HOST}/privkey.pem`, key],
  ])
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(' ')
  writeFileSync(join(folder, 'waymark.conf'), example)
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; pid ${folder}/nginx.pid; error_log stderr;\nevents {}\nhttp { access_log off; ${places} include waymark.conf; }\n`,
  )
  start('nginx', [program, '-p', folder, '-c', 'nginx.conf'], { cwd: folder })
  return { name: 'nginx', httpPort, httpsPort }
}

/** An example for Caddy, with certificates of its own authority instead of a public one. */
export async function startCaddy(
  program: string,
  folder: string,
  example: string,
  env: Record<string, string>,
): Promise<Proxy> {
  const [httpPort, httpsPort] = [await freePort(), await freePort()]
  const options = ['admin off', 'local_certs', 'skip_install_trust', `http_port ${httpPort}`]
  const lines = [...options, `https_port ${httpsPort}`].map((line) => `\t${line}`).join('\n')
  const text = adapt(`caddy/${example}`, [])
  const own = /^\{$/m
  const file = join(folder, example)
  writeFileSync(file, own.test(text) ? text.replace(own, `{\n${lines}`) : `{\n${lines}\n}\n${text}`)
  start(example, [program, 'run', '--adapter', 'caddyfile', '--config', file], { cwd: folder, env })
  return { name: `Caddy, ${example}`, httpPort, httpsPort }
}
