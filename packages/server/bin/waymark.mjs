#!/bin/sh
':' // ; exec "${npm_node_execpath:-node}" "$0" "$@"
// The shell runs the line above; JavaScript sees a text. With npx, npm 11 puts the bundled Node first in the path, and
// where libatomic is missing that Node cannot start; the Node that runs npm can.
//
// Runs on Node 18 and newer: it only finds the Node that runs Waymark, and hands over to it.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { become } from './become.mjs'
import { nodeBinary } from './node-binary.mjs'

/*
 * Flags of the server process: little memory for young objects, so that a collection is short, and one thread that
 * helps with garbage collection, so that visitors do not wait for several.
 */
const SERVER_FLAGS = ['--max-semi-space-size=4', '--v8-pool-size=1']

/*
 * Flags of a command: it ends soon, so it collects garbage seldom and without helper threads, which cost more than they
 * save. A command then takes a fifth less processor time.
 */
const COMMAND_FLAGS = ['--min-semi-space-size=8', '--single-threaded-gc']

/**
 * The JavaScript of a release, or the source in a clone.
 * @param {string} name
 */
const program = (name) => {
  const built = fileURLToPath(new URL(`../dist/${name}.js`, import.meta.url))
  return existsSync(built) ? built : fileURLToPath(new URL(`../src/${name}.ts`, import.meta.url))
}

const words = process.argv.slice(2)
const [command, ...options] = words
const isServer = command === 'serve' && options.every((option) => option === '--json')

become(nodeBinary(), (parent) =>
  isServer
    ? [...SERVER_FLAGS, program('main'), ...options, ...(parent === undefined ? [] : [`--parent=${parent}`])]
    : [...COMMAND_FLAGS, program('cli'), ...words],
)
