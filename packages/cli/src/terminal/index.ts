export { ask } from './ask.ts'
export { errorLine, FailedCommand, isJson, jsonOption, type Output, UsageError } from './output.ts'
export { ProgressBar } from './progress-bar.ts'
export { table } from './table.ts'
