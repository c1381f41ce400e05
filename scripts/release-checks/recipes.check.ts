import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createClient } from '@waymark/sdk'
import { png } from '../../e2e/support/pictures.ts'
import { samplesAt } from '../../e2e/support/samples.ts'
import { startWaymark } from '../../e2e/support/waymark.ts'
import { needProgram } from '../services/programs.ts'

/*
 * The signing recipes in languages that `npm test` does not require, run unchanged against a server, and samples of the
 * reference, which use the functions of the recipes.
 */

const RECIPES = [
  { language: 'PHP', file: 'sign.php', program: 'php', packages: 'php-cli php-curl', words: [] },
  { language: 'Go', file: 'sign.go', program: 'go', packages: 'golang-go', words: ['run'] },
]
const EXPECTED = [/free/, /utm_source=newsletter/, /It points the way/]
/** Without a body, JSON, forms with files, a list, a CSV file. */
const SAMPLES = [
  'current-plan',
  'generate-utm',
  'generate-link',
  'generate-qr',
  'generate-page',
  'utm',
  'export-links',
]

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'waymark-recipes-'))

/** The functions of a recipe, without its example calls. */
const functionsOf = (language: string, recipe: string): string =>
  recipe.slice(0, recipe.indexOf(language === 'PHP' ? '\necho ' : '\nfunc main()'))

/** A sample as a whole program, with its own short code and slug, which are unique on a server. */
const programOf = (language: string, functions: string, sample: string): string => {
  const own = sample
    .replace(/(customLink['"](?: =>|:) ['"])spring/, `$1spring-${language}`)
    .replaceAll('nordlys', `nordlys-${language.toLowerCase()}`)
  return `${functions}\n${own.replace('<?php', '')}`
}

const waymark = await startWaymark()

/** Runs a sample of the live stream and visits a link until the sample prints its short code. */
async function hearsClicks(
  program: string,
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  key: { readonly apiKey: string; readonly secret: string },
): Promise<void> {
  const { data } = await createClient({ baseUrl: waymark.url, ...key }).generateLink({
    link: 'https://example.com/',
  })
  // In its own process group, because `go run` starts the program as a child.
  const child = spawn(program, words, { cwd: folder, env, detached: true })
  let printed = ''
  for (const out of [child.stdout, child.stderr])
    out.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  const exit = once(child, 'exit')
  const giveUpAt = Date.now() + 120_000
  while (!printed.includes(data.code) && Date.now() < giveUpAt && child.exitCode === null) {
    await fetch(data.short_url, { redirect: 'manual' })
    await delay(200)
  }
  if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid)
  await exit
  if (!printed.includes(data.code)) throw new Error(`The sample printed no click: ${printed}`)
}
try {
  await writeFile(join(folder, 'picture.png'), png(200))
  await writeFile(join(folder, 'logo.png'), png(200, 90, 70, 64))
  const shown = await readFile(join(root, 'docs/signing.md'), 'utf8')
  for (const { language, file, program, packages, words } of RECIPES) {
    const path = await needProgram([program], packages)
    const { apiKey, secret } = await waymark.account()
    const env = {
      ...process.env,
      BASE_URL: waymark.url,
      API_KEY: apiKey,
      SECRET: secret,
      GOCACHE: join(folder, 'go'),
    }
    const run = (script: string): string =>
      execFileSync(path, [...words, script], { cwd: folder, env, encoding: 'utf8' }).replaceAll('\\/', '/')
    const recipe = join(root, 'clients/recipes', file)
    const text = await readFile(recipe, 'utf8')
    const printed = run(recipe)
    const missing = EXPECTED.filter((pattern) => !pattern.test(printed))
    if (missing.length > 0) throw new Error(`${file} printed no ${missing.join(', ')}: ${printed}`)
    if (!shown.includes(text)) throw new Error(`docs/signing.md does not show ${file}`)
    console.log(`${file}: accepted three times`)
    for (const name of SAMPLES) {
      const sample = (await samplesAt(waymark.url, name)).get(language) ?? ''
      const script = join(folder, `sample-${name}${file.slice(file.indexOf('.'))}`)
      await writeFile(script, programOf(language, functionsOf(language, text), sample))
      const output = run(script)
      const answer = name === 'export-links' ? await readFile(join(folder, 'links.csv'), 'utf8') : output
      if (!/success|^link,/.test(answer)) throw new Error(`${language}, ${name}: ${answer}`)
      await rm(join(folder, 'links.csv'), { force: true })
    }
    console.log(`${language}: ${SAMPLES.length} samples of the reference accepted`)
    const live = (await samplesAt(waymark.url, 'live')).get(language) ?? ''
    const stream = join(folder, `sample-live${file.slice(file.indexOf('.'))}`)
    await writeFile(stream, programOf(language, functionsOf(language, text), live))
    await hearsClicks(path, [...words, stream], env, { apiKey, secret })
    console.log(`${language}: the sample of the live stream printed a click`)
  }
} finally {
  await waymark.stop()
  await rm(folder, { recursive: true, force: true })
}
