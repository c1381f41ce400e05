import { CsvFault, type CsvRecord, readCsv, unguarded } from '@waymark/contract/csv'
import {
  type Body,
  type FieldErrors,
  jsonSchemaOf,
  type JsonSchema,
  MOST_LINKS_AT_ONCE,
  schemas,
  validate,
} from '@waymark/contract/schemas'
import { coerceForm } from '../../api/body/coerce-form.ts'
import { type LinkColumn, linkFields } from './link-fields.ts'

/** The links of a file, and where each stands in it. */
export interface LinkFile {
  readonly links: Body<'generateLinks'>['links']
  /** Names the place of a field of one of them, as whoever looks into the file finds it. */
  readonly placeOf: (index: number, field: string) => string
}

interface Column {
  /** As it stands in the file. */
  readonly header: string
  /** Undefined: of no matter to an import. */
  readonly field: LinkColumn | undefined
}

/** Far more than there are fields; past that it is no table of links. */
const MOST_COLUMNS = 100
/** As many as anybody reads. */
const MOST_FAULTS = 100
const SHOWN_CHARACTERS = 40
/** What a spreadsheet may write for "no" into the column that says whether a link had a password. */
const UNPROTECTED: ReadonlySet<string> = new Set(['', 'false', '0', 'no'])

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** What is wrong with a file, in sentences; thrown by everything here. */
export class LinkFileFault extends Error {
  readonly sentences: readonly string[]

  constructor(sentences: readonly string[]) {
    super(sentences[0])
    const left = sentences.length - MOST_FAULTS
    this.sentences = left > 0 ? [...sentences.slice(0, MOST_FAULTS), `And ${left} more`] : sentences
  }
}

/** Reads a CSV file of links; each is held to the rules of a link that is made alone. */
export function readLinkFile(bytes: Uint8Array): LinkFile {
  const records = recordsOf(textOf(bytes))
  const [head, ...lines] = records
  if (head === undefined) throw new LinkFileFault(['Must begin with a line that names its columns'])
  const columns = readHeader(head)
  const filled = lines.filter(({ cells }) => cells.some((cell) => cell !== ''))
  if (filled.length === 0) throw new LinkFileFault(['Must have a line for at least one link'])
  const errors: FieldErrors = {}
  const inputs = filled.map((record, at) =>
    readLine(record, columns, (field, fault) => (errors[`links.${at}.${field}`] ??= []).push(fault)),
  )
  const placeOf = (index: number, field: string): string => {
    const header = columns.find((column) => column.field === field)?.header ?? field
    return `Line ${filled[index]?.line ?? 0}${header === '' ? '' : `, ${header}`}`
  }
  const result = validate(schemas.generateLinks.body, coerceForm(rulesOfLinks(), { links: inputs }))
  const sentences = sentencesOf(placeOf, errors, result.ok ? {} : result.errors)
  if (sentences.length > 0 || !result.ok) throw new LinkFileFault(sentences)
  return { links: result.value.links, placeOf }
}

/** Faults that name links by their places in a list, in sentences that name their places in the file, line by line. */
export function sentencesOf(placeOf: LinkFile['placeOf'], ...all: readonly FieldErrors[]): string[] {
  const placed = all.flatMap(Object.entries<string[]>).map(([path, texts]) => {
    const [, index = '', field] = /^links\.(\d+)\.(.*)$/.exec(path) ?? []
    const place = field === undefined ? '' : `${placeOf(Number(index), field)}: `
    return { index: Number(index), sentences: texts.map((text) => place + text) }
  })
  return placed.toSorted((a, b) => a.index - b.index).flatMap(({ sentences }) => sentences)
}

let rules: JsonSchema | undefined
const rulesOfLinks = (): JsonSchema => (rules ??= jsonSchemaOf(schemas.generateLinks.body, 'input'))

function textOf(bytes: Uint8Array): string {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    throw new LinkFileFault(['Must be a CSV file in UTF-8'])
  }
  if (text.includes('\0')) throw new LinkFileFault(['Must be a CSV file: this one holds NUL bytes'])
  return text
}

function recordsOf(text: string): CsvRecord[] {
  const records: CsvRecord[] = []
  try {
    for (const record of readCsv(text)) {
      if (records.length > MOST_LINKS_AT_ONCE)
        throw new LinkFileFault([`Must have at most ${MOST_LINKS_AT_ONCE} lines below the header`])
      records.push(record)
    }
  } catch (error) {
    if (error instanceof CsvFault) throw new LinkFileFault([`Line ${error.line}: ${error.message}`])
    throw error
  }
  return records
}

function readHeader({ cells, line }: CsvRecord): Column[] {
  if (cells.length > MOST_COLUMNS) throw new LinkFileFault([`Must have at most ${MOST_COLUMNS} columns`])
  const faults: string[] = []
  const columns = cells.map((cell): Column => {
    const header = shown(cell)
    const field = linkFields.nameOfHeader(cell)
    if (field === undefined && cell.trim() !== '')
      faults.push(`Line ${line}: The column ${header} is not known`)
    return { header, field: field ?? undefined }
  })
  for (const field of new Set(columns.flatMap((column) => column.field ?? []))) {
    const named = columns.filter((column) => column.field === field).map(({ header }) => header)
    if (named.length > 1) faults.push(`Line ${line}: The columns ${named.join(' and ')} mean the same`)
  }
  if (!columns.some(({ field }) => field === 'link')) faults.push(`Line ${line}: There is no column link`)
  if (faults.length > 0) throw new LinkFileFault(faults)
  return columns
}

function readLine(
  { cells }: CsvRecord,
  columns: readonly Column[],
  refuse: (field: string, fault: string) => void,
): Partial<Record<LinkColumn, unknown>> {
  const input: Partial<Record<LinkColumn, unknown>> = {}
  for (const [at, { field }] of columns.entries()) {
    const cell = unguarded(cells[at] ?? '')
    if (field !== undefined && cell !== '') input[field] = linkFields.readCell(field, cell)
  }
  if (cells.slice(columns.length).some((cell) => cell !== '')) refuse('', 'There are more cells than columns')
  const isProtected = columns.some(
    ({ header }, at) =>
      /^has[\W_]*password$/i.test(header) && !UNPROTECTED.has((cells[at] ?? '').trim().toLowerCase()),
  )
  // What visitors were asked a password for must not become open to everyone on its way here.
  if (isProtected && input.password === undefined)
    refuse('has_password', 'Passwords are not exported: add a column password, or say false here')
  return input
}

const shown = (text: string): string => {
  const plain = text.trim()
  return plain.length > SHOWN_CHARACTERS ? `${plain.slice(0, SHOWN_CHARACTERS).toWellFormed()}…` : plain
}
