import { Option } from 'commander'

export interface Output {
  readonly json?: boolean
}

/** Why a command cannot do its work, in one line for the person at the terminal. */
export class FailedCommand extends Error {}

/** A command that was called in a wrong way. */
export class UsageError extends FailedCommand {}

export const jsonOption = new Option('--json', 'print exactly one JSON value and nothing else')

/** Whether a command was asked to print JSON. */
export const isJson = (words: readonly string[]): boolean => words.includes('--json')

/** An error for stderr: one line, or one JSON object. */
export const errorLine = (json: boolean, text: string): string =>
  json ? `${JSON.stringify({ error: text })}\n` : `waymark: ${text}\n`
