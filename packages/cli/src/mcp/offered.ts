import { areas, operations, type Operation } from '@waymark/contract'
import { changeable } from '@waymark/sdk'
import { compacted } from './compact.ts'
import { changeTools, type Tool, toolOperations } from './tools.ts'

export type Area = (typeof areas)[number]

/** Which tools are listed; undefined: those for everyday questions. */
export type Choice = readonly Area[] | 'all' | undefined

/** What people ask an assistant for most: create, find, edit, statistics, codes, pages, import. */
const EVERYDAY = [
  'generate_link',
  'list_links',
  'change_link',
  'remove_links',
  'restore',
  'tags',
  'analytics',
  'export_links',
  'import_links',
  'run_import',
  'list_imports',
  'generate_qr',
  'list_qrcode',
  'change_qr',
  'generate_barcode',
  'generate_page',
  'list_pages',
  'change_page',
  'generate_utm',
  'domains',
  'current_plan',
]

/** Finds and calls the tools that are not listed. */
export const MORE = 'more_tools'

const FOUND = 10
/** The first results have their input, so that a model can call them without another search. */
const WITH_INPUT = 3

/** The tools that are listed, of those that can be called. A model reads the list before its first question. */
export function offeredTools(tools: readonly Tool[], choice: Choice): Tool[] {
  if (choice === 'all') return [...tools]
  const chosen =
    choice === undefined
      ? EVERYDAY.flatMap((name) => tools.filter((tool) => tool.name === name).map(compacted))
      : tools.filter(({ name }) => choice.includes(areaOf(name)))
  return [...chosen, moreTool(tools)]
}

/** The trash belongs to the links, as in the scopes of keys. */
const TRASH = ['restore', 'erase']

function areaOf(tool: string): Area {
  if (TRASH.includes(tool)) return 'links'
  const list = changeTools.get(tool)
  const operation = list === undefined ? toolOperations.get(tool) : changeable[list]
  const { scope }: Operation = operations[operation ?? 'healthcheck']
  return areas.find((area) => scope?.startsWith(`${area}:`) === true) ?? 'account'
}

function moreTool(tools: readonly Tool[]): Tool {
  const title = 'Find and call other tools'
  const isReadOnly = tools.every(({ annotations }) => annotations.readOnlyHint)
  return {
    name: MORE,
    title,
    description: `${title}, for webhooks, workspaces, members, tokens, link history, the trash, invoices and more. There are ${tools.length}. First give find, then name and arguments.`,
    inputSchema: {
      type: 'object',
      properties: {
        find: {
          type: 'string',
          description: 'Words for what the tool does. The name of a tool returns its complete input.',
        },
        name: { type: 'string', description: 'The tool to call.' },
        arguments: { type: 'object', description: 'The input of that tool.' },
      },
      additionalProperties: false,
    },
    annotations: {
      title,
      readOnlyHint: isReadOnly,
      destructiveHint: !isReadOnly,
      idempotentHint: isReadOnly,
      openWorldHint: true,
    },
  }
}

/** A tool that was found. */
interface Found {
  readonly name: string
  readonly description: string
  readonly inputSchema?: object
}

/** The tools that fit some words, best first; of a tool whose name is given, everything. */
export function findTools(tools: readonly Tool[], query: string): Found[] {
  const named = tools.find(({ name }) => name === query.trim())
  if (named !== undefined) return [foundOf(named, named.inputSchema)]
  const words = wordsOf(query)
  return tools
    .map((tool) => ({ tool, score: scoreOf(tool, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, FOUND)
    .map(({ tool }, at) => foundOf(tool, at < WITH_INPUT ? compacted(tool).inputSchema : undefined))
}

const foundOf = ({ name, description }: Tool, inputSchema: object | undefined): Found => ({
  name,
  description,
  ...(inputSchema && { inputSchema }),
})

const FILLERS = new Set(['an', 'and', 'for', 'from', 'in', 'my', 'of', 'on', 'or', 'the', 'to', 'with'])

/** Words without the s of a plural. */
const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word.length > 1 && !FILLERS.has(word))
    .map((word) => word.replace(/s$/, ''))

function scoreOf({ name, description, inputSchema }: Tool, words: readonly string[]): number {
  const places = [
    [wordsOf(name), 4],
    [wordsOf(description), 2],
    [Object.keys(inputSchema['properties'] ?? {}).flatMap(wordsOf), 1],
  ] as const
  const scores = words.map((word) =>
    Math.max(...places.map(([own, worth]) => (own.includes(word) ? worth : 0))),
  )
  return scores.reduce((sum, score) => sum + score, 0)
}
