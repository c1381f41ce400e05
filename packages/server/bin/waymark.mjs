#!/bin/sh
':' // ; exec "${npm_node_execpath:-node}" "$0" "$@"
// The shell runs the line above; JavaScript sees a text. With npx, npm 11 puts the bundled Node first in the path, and
// where libatomic is missing that Node cannot start; the Node that runs npm can.
//
// Runs on Node 18 and newer: it only finds the Node that runs Waymark, and hands over to it.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { become } from './become.mjs'
import { isBuilt } from './is-built.mjs'
import { nodeBinary } from './node-binary.mjs'
import { COMMAND_FLAGS, SERVER_FLAGS, SERVER_MEMORY } from './start-flags.mjs'

/**
 * The JavaScript of a release; in a clone what `npm ci` has built, or the sources if they are newer.
 * @param {string} name
 */
const program = (name) => {
  const released = fileURLToPath(new URL(`../dist/${name}.js`, import.meta.url))
  if (existsSync(released)) return released
  return fileURLToPath(new URL(isBuilt() ? `../build/dist/${name}.js` : `../src/${name}.ts`, import.meta.url))
}

const words = process.argv.slice(2)
const [command, ...options] = words
const isServer = command === 'serve' && options.every((option) => option === '--json')

become(
  nodeBinary(),
  (parent) =>
    isServer
      ? [
          ...SERVER_FLAGS,
          program('main'),
          ...options,
          ...(parent === undefined ? [] : [`--parent=${parent}`]),
        ]
      : [...COMMAND_FLAGS, program('cli'), ...words],
  isServer ? { ...SERVER_MEMORY, ...process.env } : process.env,
)
