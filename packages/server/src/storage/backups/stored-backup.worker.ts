import { parentPort, workerData } from 'node:worker_threads'
import { storeBackup, type StoredBackupOptions } from './stored-backups.ts'

// In a thread, because copying and checking some gigabytes takes minutes of processor time.
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage(await storeBackup(workerData as StoredBackupOptions))
