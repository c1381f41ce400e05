import { randomBytes } from 'node:crypto'
import { stringifySetCookie } from 'cookie'
import { DAY_MS } from '../work/times.ts'
import type { Secrets } from '../storage/secrets.ts'
import type { UserRow } from './users/users.store.ts'

const LIFE_MS = 365 * DAY_MS
const PURPOSE = 'known browser'

type Account = Pick<UserRow, 'uuid' | 'password_hash'>

/** The name of the cookie; browsers accept the prefix over https alone. */
export const browserCookieName = (secure: boolean): string =>
  secure ? '__Host-waymark-browser' : 'waymark-browser'

/**
 * Browsers that have signed in to an account. Each gets a signed cookie, which outlives its sessions and gives it tries
 * at the password of its own: strangers who guess at the account cannot use them up. A new password ends the cookie.
 * Nothing is stored.
 */
export class KnownBrowsers {
  readonly #secrets: Secrets
  readonly #secure: boolean

  constructor(secrets: Secrets, secure: boolean) {
    this.#secrets = secrets
    this.#secure = secure
  }

  /** The id of a browser that this account was used with; undefined for any other. */
  find(account: Account, token: string | undefined): string | undefined {
    const [id = '', mac = ''] = token?.split('.', 2) ?? []
    return id !== '' && this.#secrets.verify(PURPOSE, signed(account, id), mac) ? id : undefined
  }

  /** The cookie that makes a browser known; one that is known already keeps its id. */
  cookie(account: Account, id = randomBytes(16).toString('base64url')): string {
    return stringifySetCookie({
      name: browserCookieName(this.#secure),
      value: `${id}.${this.#secrets.hash(PURPOSE, signed(account, id))}`,
      httpOnly: true,
      sameSite: 'lax',
      secure: this.#secure,
      path: '/',
      maxAge: LIFE_MS / 1000,
    })
  }
}

const signed = ({ uuid, password_hash }: Account, id: string): string => `${uuid}:${id}:${password_hash}`
