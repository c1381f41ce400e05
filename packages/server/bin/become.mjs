import { spawn } from 'node:child_process'

const SIGNALS = /** @type {const} */ (['SIGTERM', 'SIGINT', 'SIGHUP'])
const PARENT_CHECK_MS = 500

/**
 * Whether npm started this process. If npm is killed, nothing tells its child, which would keep the port; so the child
 * checks who its parent is. A process started by hand may outlive its shell.
 */
const isStartedByNpm = process.env['npm_lifecycle_event'] !== undefined

/**
 * Runs a program instead of this process and never returns. Where Node can replace the process image (Node 22.15 and
 * newer, not on Windows), the program has this process's id, so signals reach it directly. Elsewhere the program is a
 * child: signals are forwarded to it, and its exit code becomes this process's.
 * @param {string} program The path of the program
 * @param {(parent: number | undefined) => string[]} argumentsFor Its arguments, given the id of the process it must not
 *   outlive, if there is one
 * @param {NodeJS.ProcessEnv} [env] Its environment
 */
export function become(program, argumentsFor, env = process.env) {
  if (typeof process.execve === 'function' && process.platform !== 'win32') {
    const args = argumentsFor(isStartedByNpm ? process.ppid : undefined)
    process.execve(program, [program, ...args], env)
  } else {
    runAsChild(program, argumentsFor(process.pid), env)
  }
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
function runAsChild(program, args, env) {
  const child = spawn(program, args, { stdio: 'inherit', env })
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal))
  const parent = process.ppid
  if (isStartedByNpm) {
    setInterval(() => {
      if (process.ppid !== parent) child.kill('SIGTERM')
    }, PARENT_CHECK_MS).unref()
  }
  child.once('error', (error) => {
    console.error(`waymark: ${program} cannot be started: ${error.message}`)
    process.exit(1)
  })
  child.once('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}
