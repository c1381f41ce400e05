import { type Column, type RawFile, type RawRow, readMoment } from '@waymark/contract/link-files'
import {
  LinkImport,
  MOST_ALTERNATIVES,
  MOST_RULES,
  jsonSchemaOf,
  type JsonSchema,
  validate,
} from '@waymark/contract/schemas'
import { coerceForm } from '../../api/body/schema-fields.ts'
import { chunksOf } from '../../storage/db/database.ts'
import { type LinkCreate, readJsonCell } from '../links/link-fields.ts'

/** A link of a file after all rules were applied. It is stored as JSON until the import runs. */
export interface ImportedLink {
  readonly line: number
  /** Without short code and domain, which are determined when the import runs. */
  readonly input: LinkCreate
  readonly shortCode: string | null
  /** Whether a person chose the short code; otherwise it is random. */
  readonly isCustom: boolean
  /** The host that served it. */
  readonly host: string | null
  /** Whether the host belongs to another service, so that it need not exist here. */
  readonly isForeign: boolean
  readonly createdAtMs: number | null
  readonly clicks: number
  /** Whether it had a password, which the file does not contain. */
  readonly isProtected: boolean
  /** Earlier short codes, as written in the file; null: none. */
  readonly earlierCodes: readonly string[] | null
}

/** An error or warning about a row. */
export interface RowProblem {
  readonly line: number
  readonly column: string | null
  readonly message: string
  /** Whether the row is skipped. */
  readonly skipped: boolean
}

/** Limit, because the earlier short codes of a link are created in one transaction, for which others wait. */
const MAX_EARLIER_CODES = 1_000
const MAX_CLICKS = 1_000_000_000_000
/** Values for "no" in columns that say whether a link has a password or is banned. */
const NO: ReadonlySet<string> = new Set(['', 'false', '0', 'no', 'null'])
/** Spreadsheets write TRUE and FALSE in capitals. */
const FLAGS: ReadonlyMap<string, string> = new Map([
  ['true', 'true'],
  ['yes', 'true'],
  ['false', 'false'],
  ['no', 'false'],
])
/** Values that databases and browsers write for an unknown time. */
const NO_TIME = /^0+$|^0000-00-00(?:[ T]00:00:00(?:\.0+)?)?$/

const PROTECTED =
  'Passwords are not exported: this link gets a random one. Set a new password, or remove it, on the link.'

const BANNED = 'The original service has banned this link: it is skipped'

let rules: JsonSchema | undefined
const rulesOfLinks = (): JsonSchema => (rules ??= jsonSchemaOf(LinkImport, 'input'))

/** The fields that are not texts; converting only these halves the time per row. */
let convertedNames: readonly string[] | undefined
const namesToConvert = (): readonly string[] =>
  (convertedNames ??= Object.entries(rulesOfLinks().properties ?? {})
    .filter(([, rule]) => !JSON.stringify(rule).includes('"string"'))
    .map(([name]) => name))

/** Converts texts of the file to numbers and booleans. */
const converted = (input: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  const given = namesToConvert().filter((name) => typeof input[name] === 'string')
  if (given.length === 0) return input
  const values = Object.fromEntries(given.map((name) => [name, plainWord(textOf(input[name]))]))
  return { ...input, ...(coerceForm(rulesOfLinks(), values) as Record<string, unknown>) }
}

const plainWord = (cell: string): string => FLAGS.get(cell.trim().toLowerCase()) ?? cell.trim()

/** The file's name for a column; a short code may only appear in a short URL. */
export const columnNamed = (columns: readonly Column[], meaning: string): string => {
  const nameOf = (each: string): string | undefined => columns.find((column) => column.meaning === each)?.name
  return nameOf(meaning) ?? (meaning === 'code' ? nameOf('short_url') : undefined) ?? meaning
}

/** Applies the rules of a new link to a row; `report` receives all errors and warnings. */
export function linkOf(
  row: RawRow,
  file: Pick<RawFile, 'source' | 'tagSeparator' | 'columns'>,
  report: (problem: RowProblem) => void,
): ImportedLink | undefined {
  const columnOf = (meaning: string): string => columnNamed(file.columns(), meaning)
  const faults: RowProblem[] = []
  const reject = (meaning: string | null, message: string): void => {
    const column = meaning === null ? null : columnOf(meaning)
    faults.push({ line: row.line, column, message, skipped: true })
  }
  if (row.fault !== undefined) reject(null, row.fault)
  // The row could not be read at all.
  if (row.fault !== undefined && Object.keys(row.values).length === 0) {
    faults.forEach(report)
    return undefined
  }
  const facts = factsOf(row, file, reject)
  const { code, customLink, domain, ...fields } = facts.input
  const result = validate(LinkImport, converted({ ...fields, customLink: trimmed(customLink ?? code) }))
  if (!result.ok) {
    const isCode = customLink === undefined && code !== undefined
    const isGeo = row.values['geo'] !== undefined && row.values['rules'] === undefined
    for (const [field, messages] of Object.entries(result.errors)) {
      const meaning =
        field === 'customLink' && isCode ? 'code' : field.startsWith('rules') && isGeo ? 'geo' : field
      for (const message of messages) reject(meaning, message)
    }
  }
  for (const fault of faults) report(fault)
  if (!result.ok || faults.length > 0) return undefined
  const { customLink: shortCode = null, ...input } = result.value
  const isProtected = facts.isProtected && !input.password
  const note = (meaning: string, message: string): void =>
    report({ line: row.line, column: columnOf(meaning), message, skipped: false })
  if (isProtected) note('has_password', PROTECTED)
  if (facts.lostCountries > 0)
    note('geo', `A link has at most ${MOST_RULES} rules: ${facts.lostCountries} countries are left out`)
  const tooMany = (facts.earlierCodes?.length ?? 0) - MAX_EARLIER_CODES
  if (tooMany > 0)
    note(
      'earlier_codes',
      `A link keeps at most ${MAX_EARLIER_CODES} earlier short codes: ${tooMany} are left out`,
    )
  return {
    line: row.line,
    input,
    shortCode,
    isCustom: shortCode !== null && (customLink !== undefined || !isOwn(file.source)),
    host: typeof domain === 'string' && domain !== '' ? domain : null,
    isForeign: facts.isForeign,
    createdAtMs: facts.createdAtMs,
    clicks: facts.clicks,
    isProtected,
    earlierCodes: facts.earlierCodes?.slice(0, MAX_EARLIER_CODES) ?? null,
  }
}

/** Whether a file is an export of Waymark, or was made for it. */
const isOwn = (source: string): boolean => source === 'waymark' || source === 'generic'

interface Facts {
  readonly input: Record<string, unknown>
  readonly isForeign: boolean
  readonly createdAtMs: number | null
  readonly clicks: number
  readonly isProtected: boolean
  readonly earlierCodes: readonly string[] | null
  /** Countries whose destinations exceed the limit of a link. */
  readonly lostCountries: number
}

/** The properties of a row that are not fields of a link, and the remaining fields. */
function factsOf(
  { values }: RawRow,
  { source, tagSeparator }: Pick<RawFile, 'source' | 'tagSeparator'>,
  reject: (meaning: string, message: string) => void,
): Facts {
  const {
    created_at,
    clicks,
    imported_clicks,
    has_password,
    banned,
    short_url,
    earlier_codes,
    geo,
    ...rest
  } = values
  const input: Record<string, unknown> = rest
  const geoRules = rulesByCountry(geo)
  if (geoRules === undefined) reject('geo', 'Must be an object of countries and destinations')
  else if (geoRules.length > 0) input['rules'] ??= geoRules.slice(0, MOST_RULES)
  const namesDomain = input['domain'] !== undefined
  if (source !== 'waymark') addShortUrl(input, textOf(short_url))
  if (input['tags'] !== undefined && !isOwn(source)) splitTags(input, tagSeparator)
  // Other services name times in their own ways; a date means the end of that day, as everywhere.
  const expire = textOf(input['expire'])
  if (expire !== '' && !/^\d{4}-\d{2}-\d{2}$/.test(expire)) {
    const at = readMoment(expire)
    if (at !== undefined) input['expire'] = new Date(at).toISOString()
  }
  if (isYes(banned)) reject('banned', BANNED)
  const createdAt = textOf(created_at).trim()
  const createdAtMs = createdAt === '' || NO_TIME.test(createdAt) ? null : readMoment(createdAt)
  if (createdAtMs === undefined) reject('created_at', 'Must be a date or a time')
  const counts = [countOf(clicks), countOf(imported_clicks)]
  for (const [at, meaning] of ['clicks', 'imported_clicks'].entries())
    if (counts[at] === undefined) reject(meaning, 'Must be a whole number')
  return {
    input,
    // People collect short URLs of other services in their own files.
    isForeign: !isOwn(source) || (!namesDomain && input['domain'] !== undefined),
    createdAtMs: createdAtMs ?? null,
    clicks: (counts[0] ?? 0) + (counts[1] ?? 0),
    isProtected: isYes(has_password),
    earlierCodes: earlierCodesOf(earlier_codes, input),
    lostCountries: (geoRules ?? []).slice(MOST_RULES).flatMap((rule) => rule.if.country).length,
  }
}

const textOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : ''

const trimmed = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value)

const isYes = (value: unknown): boolean => !NO.has(textOf(value).trim().toLowerCase())

/** A rule for visitors of some countries. The rules of a link validate it. */
interface CountryRule {
  readonly if: { readonly country: readonly string[] }
  readonly to: unknown
}

/** Dub's destinations by country: countries with the same destination share a rule. Undefined: not valid. */
function rulesByCountry(value: unknown): CountryRule[] | undefined {
  const given = typeof value === 'string' ? readJsonCell(value) : (value ?? {})
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined
  const countries = Map.groupBy(Object.keys(given), (country) => (given as Record<string, unknown>)[country])
  return [...countries].flatMap(([to, names]) =>
    [...chunksOf(names, MOST_ALTERNATIVES)].map((country) => ({ if: { country }, to })),
  )
}

/** Short codes separated by spaces or commas, or a list of them or of short URLs; null: none. */
const earlierCodesOf = (value: unknown, { domain, code }: RawRow['values']): readonly string[] | null => {
  const words = Array.isArray(value) ? value.map(textOf) : textOf(value).split(/[\s,;|]/)
  const present = [textOf(code), `${textOf(domain)}/${textOf(code)}`]
  const given = words
    .map((word) => word.replace(/^https?:\/\//i, ''))
    .filter((word) => word !== '' && !present.includes(word))
  return given.length === 0 ? null : given
}

/** A number of clicks; some services write thousands separators. Undefined: not valid. */
const countOf = (value: unknown): number | undefined => {
  const count = textOf(value).replaceAll(/[,\s]/g, '')
  return count === '' || (/^\d{1,13}$/.test(count) && Number(count) <= MAX_CLICKS) ? Number(count) : undefined
}

/** Takes host and short code from a short URL, if the file has no columns for them. */
function addShortUrl(input: Record<string, unknown>, shortUrl: string): void {
  const url = URL.parse(/^https?:\/\//i.test(shortUrl) ? shortUrl : `https://${shortUrl}`)
  if (shortUrl === '' || url === null) return
  input['domain'] ??= url.hostname
  const path = decodedPath(url.pathname)
  if (path !== '' && input['customLink'] === undefined) input['code'] ??= path
}

function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path.slice(1))
  } catch {
    return path.slice(1)
  }
}

function splitTags(input: Record<string, unknown>, separator: RegExp): void {
  const { tags } = input
  input['tags'] = (Array.isArray(tags) ? tags.map(textOf) : textOf(tags).split(separator))
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
}
