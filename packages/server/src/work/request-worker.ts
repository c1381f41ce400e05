import { lowerPriority, REQUEST_STEP } from './thread-priority.ts'

/*
 * The first import of the file of a thread that works for a waiting client: loading its other modules takes most of
 * the time of a short task.
 */

lowerPriority(REQUEST_STEP)
