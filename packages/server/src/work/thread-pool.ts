/**
 * Threads for files, names, compression, passwords and pictures. Node starts four, which the admission gate's lanes
 * alone could fill, and then reading a file would wait for an image.
 */
const THREADS = '12'

/** Must be called before the first use of the pool: libuv reads the variable once. */
export function growThreadPool(environment: NodeJS.ProcessEnv): void {
  environment['UV_THREADPOOL_SIZE'] ??= THREADS
}
