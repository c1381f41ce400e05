#!/usr/bin/env node
// Runs on Node 18 and newer: it only finds the Node that runs Waymark, and hands over to it.
import { fileURLToPath } from 'node:url'
import { become } from './become.mjs'
import { nodeBinary } from './node-binary.mjs'

/*
 * Flags of the server process: little memory for young objects, so that a collection is short, and one thread that
 * helps with garbage collection, so that visitors do not wait for several.
 */
const SERVER_FLAGS = ['--max-semi-space-size=4', '--v8-pool-size=1']

/** @param {string} name */
const source = (name) => fileURLToPath(new URL(`../src/${name}`, import.meta.url))

const words = process.argv.slice(2)
const isServer = words.length === 1 && words[0] === 'serve'

become(nodeBinary(), (parent) =>
  isServer
    ? [...SERVER_FLAGS, source('main.ts'), ...(parent === undefined ? [] : [`--parent=${parent}`])]
    : [source('cli.ts'), ...words],
)
