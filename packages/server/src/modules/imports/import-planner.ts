import { isReserved } from '@waymark/contract'
import { AppError } from '../../net/errors.ts'
import { nextTurn } from '../../work/turns.ts'
import type { Tombstones } from '../../storage/tombstones.ts'
import { hashPasswords } from '../../accounts/users/passwords.ts'
import type { DomainService } from '../domains/domains.service.ts'
import type { LinkService } from '../links/links.service.ts'
import type { ShortCodeName } from '../links/links.store.ts'
import type { LinkWithPast } from '../links/link-inserts.ts'
import type { ImportRow, ImportStore } from './imports.store.ts'
import { columnNamed, type ImportedLink, type RowProblem } from './import-rules.ts'
import type { StoredLines } from './link-lines.ts'
import { MOST_PROBLEMS } from './read-import.ts'
import { type Column, readEarlierCode } from '@waymark/contract/link-files'

export interface PlannerDependencies {
  readonly store: ImportStore
  readonly links: LinkService
  readonly domains: DomainService
  readonly tombstones: Tombstones
}

/** The options of an import. */
export type ImportOptions = Pick<ImportRow, 'workspace_uuid' | 'on_taken' | 'domain'>

/** The result for some links of a file. */
export interface Plan {
  readonly links: readonly LinkWithPast[]
  /** Rows with errors, and warnings about others. */
  readonly problems: readonly RowProblem[]
  /** Rows that are left out on request, because their short code is taken. */
  readonly leftOut: readonly RowProblem[]
  readonly renamed: number
  /** Short codes because of which the whole import fails. */
  readonly taken: readonly RowProblem[]
}

/** Called with the findings and the number of links to create; throws to stop. */
type Approval = (findings: Omit<Plan, 'links'>, count: number) => Promise<void>

/** A link with its final domain. */
interface Placed {
  readonly link: ImportedLink
  readonly domain: string
  readonly short_code: string
}

/** Links and their earlier short codes, compared with the database. */
interface Settled {
  readonly placed: readonly Placed[]
  readonly problems: RowProblem[]
  readonly takenNames: ReadonlySet<Placed>
  /** The earlier short codes that are free. */
  readonly earlier: ReadonlyMap<ImportedLink, readonly ShortCodeName[]>
}

/** The expected result for a file. */
export interface Survey {
  /** Links that cannot be created anywhere. */
  readonly unplaced: number
  /** Links whose short code is taken. */
  readonly taken: number
  /** Links because of which the whole import fails. */
  readonly failing: number
  /** The first problems; `problemCount` counts all of them. */
  readonly problems: readonly RowProblem[]
  readonly problemCount: number
}

/** Short codes that are looked up in one turn of the event loop, which takes a few milliseconds. */
const CHECKED_AT_ONCE = 100

/** The short codes of a file so far, by domain: half a million of them fit into memory. */
class SeenCodes {
  readonly #codes = new Map<string, Set<string>>()

  /** Returns whether it is new. */
  add({ domain, short_code }: ShortCodeName): boolean {
    const codes = this.#codes.get(domain) ?? new Set()
    if (codes.has(short_code)) return false
    this.#codes.set(domain, codes.add(short_code))
    return true
  }
}

const TAKEN = 'This short code is taken'

/** Determines domains, short codes and passwords of links, using the current database. Changes nothing. */
export class ImportPlanner {
  readonly #deps: PlannerDependencies
  readonly #options: ImportOptions
  readonly #columns: readonly Column[]
  readonly #domains = new Map<string, string | undefined>()
  #unknownPassword: Promise<string | null | undefined> | undefined

  constructor(deps: PlannerDependencies, options: ImportOptions, columns: readonly Column[]) {
    this.#deps = deps
    this.#options = options
    this.#columns = columns
  }

  /**
   * Outside of a transaction, because it hashes passwords: after `approve`, which throws if the links should not be
   * created.
   */
  async plan(batch: readonly ImportedLink[], approve?: Approval): Promise<Plan> {
    const { placed, problems, takenNames, earlier } = await this.#settle(batch)
    const taken: RowProblem[] = []
    const leftOut: RowProblem[] = []
    const kept: Placed[] = []
    let renamed = 0
    for (const each of placed) {
      const isTaken = takenNames.has(each)
      const choice = this.#choiceFor(each.link)
      if (isTaken && choice !== 'rename') {
        const problem = this.#problem(each.link, codeColumn(each.link), TAKEN)
        ;(choice === 'fail' ? taken : leftOut).push(problem)
        continue
      }
      if (isTaken && each.link.isCustom) {
        renamed++
        problems.push({
          ...this.#problem(each.link, codeColumn(each.link), `${TAKEN}: the link gets a random one`),
          skipped: false,
        })
      }
      kept.push(each)
    }
    const findings = { problems, leftOut, renamed, taken }
    await approve?.(findings, kept.length)
    const links: LinkWithPast[] = []
    for (const each of taken.length > 0 ? [] : kept)
      links.push(await this.#linkOf(each, takenNames.has(each), earlier.get(each.link) ?? []))
    return { links, ...findings }
  }

  /** The expected result for a file, without the slow part; for a preview, and before an import that may fail. */
  async survey(lines: StoredLines): Promise<Survey> {
    const found = { unplaced: 0, taken: 0, failing: 0, problems: [] as RowProblem[], problemCount: 0 }
    const seen = new SeenCodes()
    for (let from = 0; ;) {
      const read = await lines.linksFrom(from, CHECKED_AT_ONCE)
      if (read === undefined || read.links.length === 0) break
      from = read.end
      const { placed, problems, takenNames } = await this.#settle(read.links, seen)
      const taken = placed.filter((each) => takenNames.has(each)).map(({ link }) => link)
      found.unplaced += read.links.length - placed.length
      found.taken += taken.length
      found.failing += taken.filter((link) => this.#choiceFor(link) === 'fail').length
      for (const link of taken) {
        const skipped = this.#choiceFor(link) !== 'rename'
        problems.push({ ...this.#problem(link, codeColumn(link), TAKEN), skipped })
      }
      found.problemCount += problems.length
      found.problems.push(...problems.slice(0, MOST_PROBLEMS - found.problems.length))
      // SQLite returns within this turn of the event loop. Yield, so that visitors are served in between.
      await nextTurn()
    }
    return found
  }

  /** Determines the domains of links and of their earlier short codes, and which codes are taken. */
  async #settle(batch: readonly ImportedLink[], seen = new SeenCodes()): Promise<Settled> {
    const { placed, problems } = await this.#place(batch)
    const earlier: Placed[] = []
    for (const each of placed)
      for (const written of each.link.earlierCodes ?? []) {
        const name = await this.#earlierName(each, written)
        if (name === undefined) problems.push(this.#lostCode(each.link, written))
        else earlier.push({ link: each.link, ...name })
      }
    const takenNames = await this.#takenOf([...placed, ...earlier], seen)
    const isFree = (each: Placed): boolean => !takenNames.has(each)
    for (const each of earlier) if (!isFree(each)) problems.push(this.#lostCode(each.link, each.short_code))
    return { placed, problems, takenNames, earlier: Map.groupBy(earlier.filter(isFree), ({ link }) => link) }
  }

  /** An earlier short code has the domain of its link, unless it names another one that exists here. */
  async #earlierName({ link, domain }: Placed, written: string): Promise<ShortCodeName | undefined> {
    const read = readEarlierCode(written)
    if (read === undefined || isReserved(read.shortCode)) return undefined
    const ofLink = read.host === undefined || link.isForeign ? domain : undefined
    const chosen = (read.host === undefined ? undefined : await this.#choose(read.host)) ?? ofLink
    if (chosen === undefined) return undefined
    return { domain: chosen, short_code: this.#deps.domains.spelled(chosen, read.shortCode) }
  }

  /** The link is still imported. */
  #lostCode(link: ImportedLink, written: string): RowProblem {
    const message = `The earlier short code ${written.slice(0, 80)} cannot be used and is left out`
    return { ...this.#problem(link, 'earlier_codes', message), skipped: false }
  }

  /** The links whose short code is in use, was erased, or appears earlier in the file. */
  async #takenOf(placed: readonly Placed[], seen: SeenCodes): Promise<Set<Placed>> {
    const { store, tombstones } = this.#deps
    const kept = placed.filter(({ short_code }) => short_code !== '')
    const taken = new Set(await store.takenOf(kept))
    const names = kept.map((each) => ['code', each.domain, each.short_code] as const)
    const erased = new Set(await tombstones.filter(names))
    for (const [at, each] of kept.entries()) {
      const entry = names[at]
      const isNew = seen.add(each)
      if (!isNew || (entry !== undefined && erased.has(entry))) taken.add(each)
    }
    return taken
  }

  /** Leaves out links that cannot be created on any domain. */
  async #place(batch: readonly ImportedLink[]): Promise<{ placed: Placed[]; problems: RowProblem[] }> {
    const problems: RowProblem[] = []
    const placed: Placed[] = []
    for (const link of batch) {
      const faults = this.#deps.links.faultsOf(link.input)
      for (const { field, fault } of faults) problems.push(this.#problem(link, field, fault))
      const domain = await this.#domainOf(link)
      if (domain === undefined)
        problems.push(this.#problem(link, 'domain', 'Must be the name of an existing domain'))
      if (faults.length === 0 && domain !== undefined)
        placed.push({ link, domain, short_code: this.#deps.domains.spelled(domain, link.shortCode ?? '') })
    }
    return { placed, problems }
  }

  /** The link's own host if that is a domain of the account, else the chosen one; undefined if neither is possible. */
  async #domainOf({ host, isForeign }: ImportedLink): Promise<string | undefined> {
    const { domain } = this.#options
    const own = await this.#choose(host)
    if (own !== undefined && host !== null) return own
    if (host === null || domain !== null) return this.#choose(domain)
    return isForeign ? '' : undefined
  }

  async #choose(name: string | null): Promise<string | undefined> {
    const key = name ?? ''
    if (!this.#domains.has(key)) {
      const chosen = this.#deps.domains.choose(this.#options.workspace_uuid, name).catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'validation') return undefined
        throw error
      })
      this.#domains.set(key, await chosen)
    }
    return this.#domains.get(key)
  }

  /** By default, a code that a person chose must not change silently, but a random one may. */
  #choiceFor({ isCustom }: ImportedLink): NonNullable<ImportRow['on_taken']> {
    return this.#options.on_taken ?? (isCustom ? 'fail' : 'rename')
  }

  async #linkOf(
    { link, domain, short_code }: Placed,
    isTaken: boolean,
    earlierCodes: readonly ShortCodeName[],
  ): Promise<LinkWithPast> {
    const { password, ...input } = link.input
    const keepsCode = short_code !== '' && !isTaken
    const [passwordHash] = link.isProtected
      ? [await (this.#unknownPassword ??= hashOf(crypto.randomUUID()))]
      : await hashPasswords([password])
    return {
      input: {
        ...input,
        domain: this.#deps.domains.nameOf(domain),
        customLink: keepsCode ? short_code : null,
      },
      isCustom: keepsCode && link.isCustom,
      passwordHash: passwordHash ?? null,
      createdAtMs: link.createdAtMs,
      importedClicks: link.clicks,
      earlierCodes,
    }
  }

  #problem({ line }: ImportedLink, meaning: string, message: string): RowProblem {
    return { line, column: columnNamed(this.#columns, meaning), message, skipped: true }
  }
}

const codeColumn = ({ isCustom, isForeign }: ImportedLink): string =>
  isCustom && !isForeign ? 'customLink' : 'code'

const hashOf = async (password: string): Promise<string | null | undefined> =>
  (await hashPasswords([password]))[0]
