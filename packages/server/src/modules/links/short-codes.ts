import { isReserved } from '@waymark/contract'
import type { Data, Query } from '@waymark/contract/schemas'
import { type AppError, atPlace, fieldError } from '../../net/errors.ts'
import { chunksOf, type Database } from '../../storage/db/database.ts'
import { pooledRandom } from '../../storage/db/ids.ts'
import type { Tombstones } from '../../storage/tombstones.ts'
import type { DomainService } from '../domains/domains.service.ts'
import { type LeadingName, type LinkRow, type LinkStore, nameKey, type ShortCodeName } from './links.store.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const LENGTH = 7
/** Larger bytes would make the first letters likelier than the others. */
const UNBIASED = 256 - (256 % ALPHABET.length)

/** A random short code: 7 characters of base 62. */
export const randomShortCode = (): string => {
  let shortCode = ''
  while (shortCode.length < LENGTH) {
    for (const byte of pooledRandom(LENGTH + 4)) {
      if (byte < UNBIASED && shortCode.length < LENGTH) shortCode += ALPHABET[byte % ALPHABET.length]
    }
  }
  return shortCode
}

export interface LinkNamesDependencies {
  readonly db: Database
  readonly store: LinkStore
  readonly tombstones: Tombstones
  readonly domains: Pick<DomainService, 'spelling'>
  /** Notifies every process to look the short code up again. */
  readonly targetChanged: (name: ShortCodeName) => void
  readonly newShortCode: () => string
  readonly now: () => number
}

/** A short code for one of many new links. */
export interface WantedName extends ShortCodeName {
  readonly link_uuid: string
  /** A random short code, which can be replaced by another one. */
  readonly isRandom: boolean
  /** The place of the link in the list. */
  readonly at: number
}

const ATTEMPTS = 5
/** Rows per statement. */
const ROWS = 200

const taken = (): AppError => fieldError('customLink', 'This short code is taken', 'code_taken')
const reserved = (): AppError => fieldError('customLink', 'This word is reserved')

/** Creates, changes and releases the short codes of links, inside a write. */
export class LinkNames {
  readonly #deps: LinkNamesDependencies

  constructor(deps: LinkNamesDependencies) {
    this.#deps = deps
  }

  /** Assigns a short code to the link: the requested one, or a free random one. */
  async take(
    domain: string,
    asked: string | null | undefined,
    linkUuid: string,
    first = this.#deps.newShortCode(),
  ): Promise<string> {
    const { db, store, tombstones, domains, targetChanged, newShortCode, now } = this.#deps
    // The schema of an edit accepts reserved words, because the link may already have one.
    if (asked && isReserved(asked)) throw reserved()
    const spell = await domains.spelling(domain)
    let shortCode = spell(asked ?? first)
    for (let attempt = 0; attempt < ATTEMPTS; attempt++, shortCode = spell(newShortCode())) {
      const name = { domain, short_code: shortCode }
      const row = { ...name, link_uuid: linkUuid, created_at: now() }
      const tombstone = tombstones.hash(['code', domain, shortCode])
      if (!isReserved(shortCode) && (await store.insertShortCode(row, tombstone))) {
        // A deletion that ended while the insert waited for it left a tombstone that only a new statement sees.
        if (asked && (await tombstones.has(['code', domain, shortCode]))) throw taken()
        db.afterCommit(() => targetChanged(name))
        return shortCode
      }
      if (asked) throw taken()
    }
    throw new Error('no free short code was found')
  }

  /**
   * Assigns many short codes, in the spelling of their domains, to their links. Returns the random ones that are not free.
   * `pause` is called between statements and may abort the write by throwing.
   */
  async takeMany(wanted: readonly WantedName[], pause?: () => void): Promise<WantedName[]> {
    const { db, store, tombstones, targetChanged, now } = this.#deps
    const created_at = now()
    const rows = wanted
      .filter(({ short_code }) => !isReserved(short_code))
      .map(({ domain, short_code, link_uuid }) => {
        const tombstone = tombstones.hash(['code', domain, short_code])
        return { domain, short_code, link_uuid, created_at, tombstone }
      })
    const inserted: LeadingName[] = []
    for (const some of chunksOf(rows, ROWS)) {
      inserted.push(...(await store.insertShortCodes(some)))
      pause?.()
    }
    const leadsTo = new Map(inserted.map((name) => [nameKey(name), name.link_uuid]))
    const lost = wanted.filter((name) => leadsTo.get(nameKey(name)) !== name.link_uuid)
    for (const name of [...lost, ...(await this.#erasedAmong(wanted))]) {
      if (name.isRandom) continue
      throw atPlace(isReserved(name.short_code) ? reserved() : taken(), `links.${name.at}`)
    }
    db.afterCommit(() => inserted.forEach(targetChanged))
    return lost
  }

  /** As in `take`: a deletion that ended while the insert waited for it left a tombstone. */
  async #erasedAmong(wanted: readonly WantedName[]): Promise<WantedName[]> {
    const asked = wanted.filter(({ isRandom }) => !isRandom)
    const names = asked.map(({ domain, short_code }) => ['code', domain, short_code] as const)
    const erased = new Set(await this.#deps.tombstones.filter(names))
    return asked.filter((_, at) => names[at] !== undefined && erased.has(names[at]))
  }

  /** The old short code stays assigned to the link, and an earlier one of the link can be used again. */
  async rename(row: LinkRow, domain: string, asked: string | null | undefined): Promise<Partial<LinkRow>> {
    const { store, domains } = this.#deps
    const clears = asked === null && row.custom === 1
    if (!asked && !clears && domain === row.domain) return {}
    const spell = await domains.spelling(domain)
    const shortCode = clears ? undefined : spell(asked ?? row.short_code)
    if (shortCode === row.short_code && domain === row.domain) return {}
    const custom = asked ? 1 : clears ? 0 : row.custom
    if (
      shortCode !== undefined &&
      (await store.findShortCode({ domain, short_code: shortCode })) === row.uuid
    )
      return { domain, short_code: shortCode, custom }
    return { domain, short_code: await this.take(domain, shortCode, row.uuid), custom }
  }

  /** Makes every process look the links up again. */
  async changed(rows: readonly LinkRow[]): Promise<void> {
    const { db, targetChanged } = this.#deps
    const names = await this.#of(rows)
    db.afterCommit(() => names.forEach(targetChanged))
  }

  /** The short codes return 410 permanently and are never reused. */
  async erase(rows: readonly LinkRow[]): Promise<void> {
    const names = await this.#of(rows)
    await this.#deps.tombstones.add(names.map(({ domain, short_code }) => ['code', domain, short_code]))
  }

  #of(rows: readonly LinkRow[]): Promise<ShortCodeName[]> {
    return this.#deps.store.shortCodesOf(rows.map(({ uuid }) => uuid))
  }
}

interface AvailabilityDependencies {
  readonly store: LinkStore
  readonly tombstones: Tombstones
  readonly domains: DomainService
}

/** Checks whether a short code can be used, before a link is created. */
export class ShortCodeAvailability {
  readonly #deps: AvailabilityDependencies

  constructor(deps: AvailabilityDependencies) {
    this.#deps = deps
  }

  async find(workspaceUuid: string, query: Query<'shortCode'>): Promise<Data<'shortCode'>> {
    const { store, tombstones, domains } = this.#deps
    const domain = await domains.choose(workspaceUuid, query.domain)
    const code = domains.spelled(domain, query.code)
    const found = { code, domain: domains.nameOf(domain) }
    const linkUuid = await store.findShortCode({ domain, short_code: code })
    if (linkUuid !== undefined) {
      const own = await store.find(workspaceUuid, linkUuid)
      return { ...found, state: 'taken', uuid: own?.uuid ?? null }
    }
    if (isReserved(code)) return { ...found, state: 'reserved', uuid: null }
    const isErased = await tombstones.has(['code', domain, code])
    return { ...found, state: isErased ? 'taken' : 'available', uuid: null }
  }
}
