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
 * Settings of the C library's allocator, read when the server process starts: two pools of memory instead of eight per
 * core, and freed blocks go back to the system. Without them an idle server keeps some four megabytes more, which its
 * start had used (bench/v8.ts), and a busy one keeps what each thread has drawn and encoded in: after two large WebP
 * pictures it had 473 MB and grew with each more, where it now peaks at 350 MB.
 */
const SERVER_MEMORY = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
}

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
