#!/usr/bin/env node
// Runs on any Node: an older one only finds the Node that npm brought along, and hands over to it.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const OLDEST_MAJOR = 24
const here = dirname(fileURLToPath(import.meta.url))
const cli = join(here, '../src/cli.ts')

const findBundledNode = (folder) => {
  const candidate = join(folder, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')
  if (existsSync(candidate)) return candidate
  return dirname(folder) === folder ? undefined : findBundledNode(dirname(folder))
}

if (Number(process.versions.node.split('.')[0]) >= OLDEST_MAJOR) {
  await import(pathToFileURL(cli).href)
} else {
  const node = findBundledNode(here)
  if (node === undefined) {
    console.error(`waymark: Node ${OLDEST_MAJOR} or newer is needed; run npm ci in the project to get one`)
    process.exit(1)
  }
  const { status, signal } = spawnSync(node, [cli, ...process.argv.slice(2)], { stdio: 'inherit' })
  if (signal !== null) process.kill(process.pid, signal)
  process.exit(status ?? 1)
}
