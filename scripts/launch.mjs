import { existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { become } from '../packages/server/bin/become.mjs'
import { nodeBinary } from '../packages/server/bin/node-binary.mjs'

/*
 * Runs a file or an installed tool with the Node that npm installed, whatever Node runs npm itself:
 *
 *   node scripts/launch.mjs scripts/test.ts --only unit
 *   node scripts/launch.mjs vitest run --project unit
 */

const tools = fileURLToPath(new URL('../node_modules/.bin', import.meta.url))
const [what = '', ...rest] = process.argv.slice(2)
const node = nodeBinary()
// Tools start with `#!/usr/bin/env node`, and some start others by name.
const env = { ...process.env, PATH: [dirname(node), tools, process.env['PATH']].join(delimiter) }

if (/\.(?:ts|mjs)$/.test(what)) {
  become(node, () => [what, ...rest], env)
} else if (existsSync(join(tools, what))) {
  become(join(tools, what), () => rest, env)
} else {
  console.error(`${what} is not installed: run npm ci without --omit=dev`)
  process.exit(127)
}
