import { randomBytes } from 'node:crypto'
import { stringifySetCookie } from 'cookie'
import { DAY_MS } from '../work/times.ts'
import type { Secrets } from '../storage/secrets.ts'
import type { UserRow } from './users/users.store.ts'

const LIFE_MS = 365 * DAY_MS
const PURPOSE = 'known browser'
/** A browser stays known to this many accounts, the most recently used ones. */
const MAX_ACCOUNTS = 5
const SEPARATOR = '~'

type Account = Pick<UserRow, 'uuid' | 'password_hash'>

/** The name of the cookie; browsers accept the prefix only over HTTPS. */
export const browserCookieName = (secure: boolean): string =>
  secure ? '__Host-waymark-browser' : 'waymark-browser'

/**
 * Browsers that have signed in to an account. Each gets a signed cookie, which outlives its sessions and has its own count
 * of password tries, so strangers who guess at the account cannot use them up. A new password invalidates the cookie.
 * Nothing is stored.
 */
export class KnownBrowsers {
  readonly #secrets: Secrets
  readonly #secure: boolean

  constructor(secrets: Secrets, secure: boolean) {
    this.#secrets = secrets
    this.#secure = secure
  }

  /** The id of a browser that has used this account before; undefined for any other. */
  find(account: Account, token: string | undefined): string | undefined {
    const entry = this.#entryOf(account, token)
    return entry && idOf(entry)
  }

  /** The cookie that makes a browser known. It stays known to the other accounts of the cookie that it sent. */
  cookie(account: Account, token: string | undefined): string {
    const known = this.#entryOf(account, token)
    const id = known === undefined ? randomBytes(16).toString('base64url') : idOf(known)
    const entry = `${id}.${this.#secrets.hash(PURPOSE, signed(account, id))}`
    const others = entriesOf(token).filter((each) => each !== known)
    return stringifySetCookie({
      name: browserCookieName(this.#secure),
      value: [entry, ...others].slice(0, MAX_ACCOUNTS).join(SEPARATOR),
      httpOnly: true,
      sameSite: 'lax',
      secure: this.#secure,
      path: '/',
      maxAge: LIFE_MS / 1000,
    })
  }

  #entryOf(account: Account, token: string | undefined): string | undefined {
    return entriesOf(token).find((entry) => {
      const id = idOf(entry)
      return this.#secrets.verify(PURPOSE, signed(account, id), entry.slice(id.length + 1))
    })
  }
}

/** One entry per account. */
const entriesOf = (token: string | undefined): string[] =>
  token?.split(SEPARATOR, MAX_ACCOUNTS).filter((entry) => /^[\w-]{1,64}\.[\w-]{1,128}$/.test(entry)) ?? []

const idOf = (entry: string): string => entry.split('.', 1).join('')

const signed = ({ uuid, password_hash }: Account, id: string): string => `${uuid}:${id}:${password_hash}`
