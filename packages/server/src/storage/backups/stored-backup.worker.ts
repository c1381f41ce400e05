import { parentPort, workerData } from 'node:worker_threads'
import { keepBackup, type KeptBackupOptions } from './kept-backups.ts'

// In a thread, because copying and checking some gigabytes takes minutes of processor time.
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage(await keepBackup(workerData as KeptBackupOptions))
