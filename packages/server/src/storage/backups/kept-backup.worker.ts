import { parentPort, workerData } from 'node:worker_threads'
import { keepBackup, type KeptBackupOptions } from './kept-backups.ts'

// Copying and checking a database of some gigabytes takes minutes of processor time: not in the serving thread.
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage(await keepBackup(workerData as KeptBackupOptions))
