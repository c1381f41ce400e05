import { Option } from 'commander'
import { shown } from './shown.ts'

export interface Output {
  readonly json?: boolean
}

/** A failed command, with a one-line message for the terminal. */
export class FailedCommand extends Error {}

/** A command with invalid usage. */
export class UsageError extends FailedCommand {}

export const jsonOption = new Option('--json', 'print exactly one JSON value and nothing else')

/** Whether a command should print JSON. */
export const isJson = (words: readonly string[]): boolean => words.includes('--json')

/** An error for stderr: one line, or one JSON object. Messages can quote texts of others. */
export const errorLine = (json: boolean, text: string): string =>
  json ? `${JSON.stringify({ error: text })}\n` : `waymark: ${text.split('\n').map(shown).join('\n')}\n`
