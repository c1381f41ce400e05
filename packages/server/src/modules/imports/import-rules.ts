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

/** A link of a file after every rule was applied. It is stored as JSON until the import runs. */
export interface ImportedLink {
  readonly line: number
  /** Without its short code and domain, which are settled when the import runs. */
  readonly input: LinkCreate
  readonly shortCode: string | null
  /** Whether the short code was chosen by a person, and not at random. */
  readonly isCustom: boolean
  /** The host that served it. */
  readonly host: string | null
  /** Whether the host is that of another service: then it need not exist here. */
  readonly isForeign: boolean
  readonly createdAtMs: number | null
  readonly clicks: number
  /** Whether visitors were asked a password that the file does not have. */
  readonly isProtected: boolean
  /** Short codes that led to it before it was renamed, as the file writes them; null: none. */
  readonly earlierCodes: readonly string[] | null
}

/** Something about a row that people should know. */
export interface RowProblem {
  readonly line: number
  readonly column: string | null
  readonly message: string
  /** Whether the row is skipped. */
  readonly skipped: boolean
}

/** The earlier short codes of one link are created in one transaction, for which others wait. */
const MOST_EARLIER_CODES = 1_000
const MOST_CLICKS = 1_000_000_000_000
/** What a file may write for "no" where it says whether a link has a password or is banned. */
const NO: ReadonlySet<string> = new Set(['', 'false', '0', 'no', 'null'])
/** Spreadsheets write TRUE and FALSE in capitals. */
const FLAGS: ReadonlyMap<string, string> = new Map([
  ['true', 'true'],
  ['yes', 'true'],
  ['false', 'false'],
  ['no', 'false'],
])
/** What databases and browsers write where they do not know a time. */
const NO_TIME = /^0+$|^0000-00-00(?:[ T]00:00:00(?:\.0+)?)?$/

const PROTECTED =
  'Passwords are not exported: this link gets a random one. Set a new password, or remove it, on the link.'

const BANNED = 'The original service has banned this link: it is skipped'

let rules: JsonSchema | undefined
const rulesOfLinks = (): JsonSchema => (rules ??= jsonSchemaOf(LinkImport, 'input'))

/** The fields that are not texts; converting only these halves the time that a row takes. */
let convertedNames: readonly string[] | undefined
const namesToConvert = (): readonly string[] =>
  (convertedNames ??= Object.entries(rulesOfLinks().properties ?? {})
    .filter(([, rule]) => !JSON.stringify(rule).includes('"string"'))
    .map(([name]) => name))

/** Numbers and booleans that a file writes as texts. */
const converted = (input: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  const given = namesToConvert().filter((name) => typeof input[name] === 'string')
  if (given.length === 0) return input
  const values = Object.fromEntries(given.map((name) => [name, plainWord(textOf(input[name]))]))
  return { ...input, ...(coerceForm(rulesOfLinks(), values) as Record<string, unknown>) }
}

const plainWord = (cell: string): string => FLAGS.get(cell.trim().toLowerCase()) ?? cell.trim()

/** What the file calls a column; a short code may be told by its short URL alone. */
export const columnNamed = (columns: readonly Column[], meaning: string): string => {
  const nameOf = (each: string): string | undefined => columns.find((column) => column.meaning === each)?.name
  return nameOf(meaning) ?? (meaning === 'code' ? nameOf('short_url') : undefined) ?? meaning
}

/** Applies the rules of a new link to a row; `tell` receives everything that is wrong or worth knowing. */
export function linkOf(
  row: RawRow,
  file: Pick<RawFile, 'source' | 'tagSeparator' | 'columns'>,
  tell: (problem: RowProblem) => void,
): ImportedLink | undefined {
  const columnOf = (meaning: string): string => columnNamed(file.columns(), meaning)
  const faults: RowProblem[] = []
  const reject = (meaning: string | null, message: string): void => {
    const column = meaning === null ? null : columnOf(meaning)
    faults.push({ line: row.line, column, message, skipped: true })
  }
  if (row.fault !== undefined) reject(null, row.fault)
  // Nothing of the row could be read.
  if (row.fault !== undefined && Object.keys(row.values).length === 0) {
    faults.forEach(tell)
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
  for (const fault of faults) tell(fault)
  if (!result.ok || faults.length > 0) return undefined
  const { customLink: shortCode = null, ...input } = result.value
  const isProtected = facts.isProtected && !input.password
  const note = (meaning: string, message: string): void =>
    tell({ line: row.line, column: columnOf(meaning), message, skipped: false })
  if (isProtected) note('has_password', PROTECTED)
  if (facts.lostCountries > 0)
    note('geo', `A link has at most ${MOST_RULES} rules: ${facts.lostCountries} countries are left out`)
  const tooMany = (facts.earlierCodes?.length ?? 0) - MOST_EARLIER_CODES
  if (tooMany > 0)
    note(
      'earlier_codes',
      `A link keeps at most ${MOST_EARLIER_CODES} earlier short codes: ${tooMany} are left out`,
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
    earlierCodes: facts.earlierCodes?.slice(0, MOST_EARLIER_CODES) ?? null,
  }
}

/** Whether a file is an export of ours, or was made for us. */
const isOwn = (source: string): boolean => source === 'waymark' || source === 'generic'

interface Facts {
  readonly input: Record<string, unknown>
  readonly isForeign: boolean
  readonly createdAtMs: number | null
  readonly clicks: number
  readonly isProtected: boolean
  readonly earlierCodes: readonly string[] | null
  /** Countries whose destinations are beyond what a link can have. */
  readonly lostCountries: number
}

/** What a row says besides the fields of a link, and the fields without it. */
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
  // Other services name times in their own ways; a day alone means its end, as everywhere.
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
    // People collect the short URLs of other services in files of their own.
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

/** A rule that sends the visitors of some countries elsewhere. What is wrong with it is found by the rules of a link. */
interface CountryRule {
  readonly if: { readonly country: readonly string[] }
  readonly to: unknown
}

/** The destinations by country of Dub: countries with the same destination share a rule. Undefined: they are none. */
function rulesByCountry(value: unknown): CountryRule[] | undefined {
  const given = typeof value === 'string' ? readJsonCell(value) : (value ?? {})
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined
  const countries = Map.groupBy(Object.keys(given), (country) => (given as Record<string, unknown>)[country])
  return [...countries].flatMap(([to, names]) =>
    [...chunksOf(names, MOST_ALTERNATIVES)].map((country) => ({ if: { country }, to })),
  )
}

/** Short codes with spaces or commas between them, or a list of them or of short URLs; null: there are none. */
const earlierCodesOf = (value: unknown, { domain, code }: RawRow['values']): readonly string[] | null => {
  const words = Array.isArray(value) ? value.map(textOf) : textOf(value).split(/[\s,;|]/)
  const present = [textOf(code), `${textOf(domain)}/${textOf(code)}`]
  const given = words
    .map((word) => word.replace(/^https?:\/\//i, ''))
    .filter((word) => word !== '' && !present.includes(word))
  return given.length === 0 ? null : given
}

/** A number of clicks; some services write separators for thousands. Undefined: it is none. */
const countOf = (value: unknown): number | undefined => {
  const count = textOf(value).replaceAll(/[,\s]/g, '')
  return count === '' || (/^\d{1,13}$/.test(count) && Number(count) <= MOST_CLICKS)
    ? Number(count)
    : undefined
}

/** Host and short code of a short URL, where the file does not say them on their own. */
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
