import type { Command } from 'commander'
import { addApi } from './commands/api-command.ts'
import { addCompletion } from './commands/completion-command.ts'
import { addExport } from './commands/export-command.ts'
import { addImport } from './commands/import-command.ts'
import { addListen } from './commands/listen-command.ts'
import { addLogin } from './commands/login-command.ts'
import { addMcp } from './commands/mcp-command.ts'
import { addResourceCommands } from './commands/resource-commands.ts'
import { resources } from './resources.ts'

/** Adds the commands that call an instance through its API, with the key stored by `waymark login`. */
export function addEverydayCommands(program: Command, words: readonly string[]): void {
  // Reading every schema takes a moment, and most calls use one command.
  const [first] = words[0] === 'help' ? words.slice(1) : words
  const isNeeded = (name: string): boolean => first === name || first === 'completion'
  program.commandsGroup('Everyday commands:')
  addLogin(program)
  for (const resource of resources) {
    const group = program.command(resource.name).description(`${resource.noun}s: create, list, edit, remove`)
    if (!isNeeded(resource.name)) continue
    addResourceCommands(group, resource)
    if (resource.name === 'webhook') addListen(group)
  }
  addImport(program)
  addExport(program)
  const api = program.command('api').description('call any operation of the API')
  if (isNeeded('api')) addApi(api)
  addMcp(program)
  addCompletion(program)
}
