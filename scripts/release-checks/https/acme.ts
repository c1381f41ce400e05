import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { join } from 'node:path'
import { freePort, start, until } from './children.ts'

export interface Acme {
  /** Address of the ACME directory. */
  readonly directory: string
  /** File with the certificate of the ACME server itself. */
  readonly rootFile: string
  /** The certificate that signs what is issued. */
  readonly authority: string
  /** Address of the DNS server. */
  readonly dns: string
  readonly setTxt: (name: string, value: string) => Promise<void>
}

/** Starts pebble, an ACME server for tests that accepts every challenge, and its DNS server. */
export async function startAcme(folder: string, programs: Readonly<Record<string, string>>): Promise<Acme> {
  const [acmePort, managementPort, dnsPort, recordsPort] = await Promise.all(
    Array.from({ length: 4 }, () => freePort()),
  )
  const [key, cert] = [join(folder, 'acme-key.pem'), join(folder, 'acme-cert.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', cert]
  execFileSync('openssl', [...made, ...subject], { stdio: 'pipe' })
  const config = join(folder, 'pebble.json')
  await writeFile(
    config,
    JSON.stringify({
      pebble: {
        listenAddress: `127.0.0.1:${acmePort}`,
        managementListenAddress: `127.0.0.1:${managementPort}`,
        certificate: cert,
        privateKey: key,
        httpPort: 80,
        tlsPort: 443,
        ocspResponderURL: '',
        externalAccountBindingRequired: false,
      },
    }),
  )
  const env = { PEBBLE_VA_ALWAYS_VALID: '1', PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '0' }
  start('pebble', [programs['pebble'] ?? '', '-config', config], { cwd: folder, env })
  const unused = ['-http01', '', '-https01', '', '-tlsalpn01', '']
  const dns = ['-dns01', `127.0.0.1:${dnsPort}`, '-management', `127.0.0.1:${recordsPort}`]
  start('dns', [programs['pebble-challtestsrv'] ?? '', ...dns, ...unused], { cwd: folder })
  const root = await readFile(cert, 'utf8')
  const authority = await until('pebble', () => read(`https://localhost:${managementPort}/roots/0`, root))
  const setTxt = async (host: string, value: string): Promise<void> => {
    const body = JSON.stringify({ host: `${host}.`, value })
    await until('the DNS server', () =>
      fetch(`http://127.0.0.1:${recordsPort}/set-txt`, { method: 'POST', body }).then(ensureOk),
    )
  }
  const directory = `https://localhost:${acmePort}/dir`
  return { directory, rootFile: cert, authority, dns: `127.0.0.1:${dnsPort}`, setTxt }
}

const ensureOk = ({ ok, status }: Response): void => {
  if (!ok) throw new Error(`status ${status}`)
}

const read = (url: string, ca: string): Promise<string> =>
  new Promise((resolve, reject) => {
    request(url, { ca }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      response.on('end', () => resolve(text))
    })
      .on('error', reject)
      .end()
  })
