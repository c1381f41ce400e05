/* How the Node that runs Waymark is started: settings that have to be given before a process begins. */

/**
 * Flags of the server process: little memory for young objects, so that a collection is short, and one thread that
 * helps with garbage collection, so that visitors do not wait for several.
 */
export const SERVER_FLAGS = ['--max-semi-space-size=4', '--v8-pool-size=1']

/**
 * Settings of the C library's allocator, read when the server process starts: two pools of memory instead of eight per
 * core, and freed blocks go back to the system. Without them an idle server keeps some four megabytes more, which its
 * start had used, and a busy one keeps what each thread has drawn and encoded in: after two large WebP pictures it had
 * 473 MB and grew with each more, where it now peaks at 350 MB.
 */
export const SERVER_MEMORY = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
}

/**
 * Flags of a command: it ends soon, so it collects garbage seldom and without helper threads, which cost more than they
 * save. A command then takes a fifth less processor time.
 */
export const COMMAND_FLAGS = ['--min-semi-space-size=8', '--single-threaded-gc']
