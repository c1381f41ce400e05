import { parentPort, workerData } from 'node:worker_threads'
import { describeOperations } from '../openapi.ts'

/* Describes the operations in a thread of its own: making all schemas takes longer than a redirect may wait. */

parentPort?.postMessage(describeOperations(workerData as string), [])
