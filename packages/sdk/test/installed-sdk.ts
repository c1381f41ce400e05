import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { buildSdk } from '../build/build.ts'
import { json, ok, RecordingServer, type Recorded, type Reply } from './recording-server.ts'

const run = promisify(execFile)
const SDK = fileURLToPath(new URL('../', import.meta.url))
const CONSUMER = join(SDK, 'test/consumer.ts')
const TSC = join(SDK, '../../node_modules/typescript/bin/tsc')

/** The published package, installed into an empty project from its tarball. */
export interface InstalledSdk {
  /** The folder of the project. */
  readonly project: string
  /** The folder of the package in it. */
  readonly package: string
  /** Compiles the consumer against it and answers the path of the program. */
  compile(options: { module: string; moduleResolution: string; lib?: string[] }): Promise<string>
  /** Runs a compiled program and answers what it printed. */
  consume(node: string, program: string): Promise<{ printed: unknown; requests: readonly Recorded[] }>
  /** Fails unless the declarations and the sources have the same client. */
  compareTypes(): Promise<void>
  remove(): Promise<void>
}

/** Builds, packs and installs the SDK. */
export const installSdk = async (): Promise<InstalledSdk> => {
  const folder = await mkdtemp(join(tmpdir(), 'waymark-sdk-package-'))
  const project = join(folder, 'project')
  await buildSdk(join(folder, 'built'))
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder, join(folder, 'built')])
  const [packed] = JSON.parse(stdout) as [{ filename: string }]
  await mkdir(project)
  await writeFile(join(project, 'package.json'), JSON.stringify({ name: 'consumer', type: 'module' }))
  await copyFile(CONSUMER, join(project, 'consumer.ts'))
  const flags = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund']
  await run('npm', ['install', ...flags, join(folder, packed.filename)], { cwd: project })
  return {
    project,
    package: join(project, 'node_modules/@waymark/sdk'),
    compile: (options) => compile(project, options),
    consume,
    compareTypes: () => compareTypes(join(project, 'node_modules/@waymark/sdk')),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Strictly, with the libraries that TypeScript brings, and without skipping the declarations of the package. */
const compile = async (project: string, options: { moduleResolution: string }): Promise<string> => {
  const out = `out-${options.moduleResolution}`
  const settings = {
    compilerOptions: {
      target: 'es2022',
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      types: [],
      outDir: out,
      ...options,
    },
    files: ['consumer.ts'],
  }
  const config = `tsconfig.${options.moduleResolution}.json`
  await writeFile(join(project, config), JSON.stringify(settings))
  await runCompiler(join(project, config))
  return join(project, out, 'consumer.js')
}

const runCompiler = async (config: string): Promise<void> => {
  try {
    await run(process.execPath, [TSC, '-p', config])
  } catch (error) {
    throw new Error((error as { stdout: string }).stdout, { cause: error })
  }
}

/** Each must pass for the other, with every method, input and answer. */
const compareTypes = async (installed: string): Promise<void> => {
  const folder = await mkdtemp(join(SDK, '.compare-'))
  const program = `import type { Operations as Source } from '../src/index.ts'
import type { Operations as Published } from '${join(installed, 'types/index.js')}'
declare const source: Source
declare const published: Published
export const one: Published = source
export const other: Source = published
`
  const settings = { extends: join(SDK, '../../tsconfig.json'), include: ['compare.ts'], exclude: [] }
  try {
    await writeFile(join(folder, 'compare.ts'), program)
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings))
    await runCompiler(join(folder, 'tsconfig.json'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const link = {
  uuid: 'x',
  link: 'https://example.com/',
  short_url: 'https://go.example/x',
  updated_at: 'then',
}

/** Answers as the server would, as far as the consumer looks at it. */
const reply: Reply = (response, request) => {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost')
  const meta = { count: 1, total: 2, next_cursor: searchParams.has('cursor') ? null : 'next' }
  if (pathname === '/v1/links') ok([link], meta)(response, request)
  else if (pathname === '/v1/remove-links') json(404, { error: 'Not found' })(response, request)
  else if (request.body.includes('"pattern"\r\n\r\nstars')) json(422, { error: 'Wrong' })(response, request)
  else ok(link)(response, request)
}

const delivery = (): string => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const body = JSON.stringify({ type: 'link.created', timestamp: new Date().toISOString(), data: link })
  const at = new Date()
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.trunc(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', at, body),
  }
  return JSON.stringify({ headers, body, secret })
}

const consume: InstalledSdk['consume'] = async (node, program) => {
  const server = new RecordingServer()
  await server.listen()
  try {
    server.respond(reply)
    const { stdout, stderr } = await run(node, [program, server.baseUrl, program, delivery()])
    if (stderr !== '') throw new Error(stderr)
    return { printed: JSON.parse(stdout) as unknown, requests: server.requests }
  } finally {
    await server.close()
  }
}

/** What the consumer prints when everything works. */
export const EXPECTED = {
  shown: link.short_url,
  message: 'Done',
  all: 2,
  total: 2,
  rejected: 'ValidationError validation',
  caught: 'NotFoundError not_found',
  about: link.short_url,
  attempts: 11,
}
