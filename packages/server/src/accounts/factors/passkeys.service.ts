import { createHash, randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { z } from 'zod'
import { AppError, fieldError } from '../../net/errors.ts'
import type { Database } from '../../storage/db/database.ts'
import type { PasskeyRow } from '../../storage/db/tables.ts'
import type { Secrets } from '../../storage/secrets.ts'
import type { UserRow } from '../users/users.store.ts'
import type { FactorStore } from './factors.store.ts'

const LIFE_MS = 5 * 60_000
const MAX_PASSKEYS = 20
/** WebAuthn’s limit for a credential id. */
const MAX_ID_BYTES = 1023
/** EdDSA, ES256 and RS256. The library's default list includes one that makes Node warn. */
const ALGORITHMS = [-8, -7, -257]
const SECRET_PURPOSE = 'passkey challenge'

/** The purpose and user of a challenge: a response is valid only for the same ones. */
export type PasskeyPurpose =
  | { readonly kind: 'register'; readonly subject: string }
  | { readonly kind: 'sign-in' }
  | { readonly kind: 'second-factor'; readonly subject: string }
  | { readonly kind: 'proof'; readonly subject: string }

/** A verified response of a passkey, to be used up in the transaction of what it permits. */
export interface VerifiedPasskey {
  readonly row: PasskeyRow
  readonly counter: number
  readonly challenge: UsedChallenge
}

interface UsedChallenge {
  readonly hash: string
  readonly expiresAtMs: number
}

export interface PasskeyDependencies {
  readonly db: Database
  readonly store: FactorStore
  readonly secrets: Secrets
  readonly baseUrl: string
  readonly now: () => number
  readonly newId: () => string
}

const base64url = z
  .string()
  .max(8_192)
  .regex(/^[\w-]*$/)

/** The parts of the browser's JSON that are used; others are removed before the library sees them. */
const credential = { id: base64url, rawId: base64url, type: z.literal('public-key') }
const Assertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.nullish().transform((handle) => handle ?? undefined),
  }),
})
const Attestation = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.array(z.string().max(32)).max(10).default([]),
  }),
})

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')
const bytesOf = (text: string) => Uint8Array.from(Buffer.from(text, 'base64url'))
const handleOf = (userUuid: string): string => Buffer.from(userUuid).toString('base64url')

/** Why browsers would reject passkeys of this address; null if they accept them. */
export const passkeysUnavailable = (baseUrl: string): string | null => {
  const { protocol, hostname } = new URL(baseUrl)
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0)
    return 'Passkeys need a domain name, and BASE_URL has an IP address'
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  return protocol === 'https:' || isLocal ? null : 'Passkeys need HTTPS, and BASE_URL has http://'
}

/** The host that passkeys are created for. */
export const rpIdOf = (baseUrl: string): string => new URL(baseUrl).hostname

/**
 * Passkeys (WebAuthn). Challenges are signed instead of stored, because strangers can request any number of them. A used
 * challenge is stored until it expires, so that no response works twice.
 */
export class PasskeyService {
  readonly #deps: PasskeyDependencies
  readonly unavailable: string | null
  readonly rpId: string

  constructor(deps: PasskeyDependencies) {
    this.#deps = deps
    this.unavailable = passkeysUnavailable(deps.baseUrl)
    this.rpId = rpIdOf(deps.baseUrl)
  }

  /** Passkeys that work under the current address. */
  async usable(userUuid: string): Promise<PasskeyRow[]> {
    if (this.unavailable !== null) return []
    const rows = await this.#deps.store.listPasskeys(userUuid)
    return rows.filter(({ rp_id }) => rp_id === this.rpId)
  }

  /** The options for a browser to create a passkey. */
  async creationOptions(user: Pick<UserRow, 'uuid' | 'email'>) {
    const { store } = this.#deps
    this.#requireAvailable()
    const present = await store.listPasskeys(user.uuid)
    if (present.length >= MAX_PASSKEYS) throw new AppError('too_many_passkeys')
    const { generateRegistrationOptions } = await import('@simplewebauthn/server')
    return generateRegistrationOptions({
      rpName: 'Waymark',
      rpID: this.rpId,
      userName: user.email,
      userID: Uint8Array.from(Buffer.from(user.uuid)),
      challenge: bytesOf(this.#newChallenge({ kind: 'register', subject: user.uuid })),
      timeout: LIFE_MS,
      attestationType: 'none',
      supportedAlgorithmIDs: ALGORITHMS,
      excludeCredentials: present.map(descriptorOf),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    })
  }

  /** The options for a browser to use a passkey: of this user, or of any user as the only factor. */
  async requestOptions(
    purpose: PasskeyPurpose,
    userUuid?: string,
  ): Promise<PublicKeyCredentialRequestOptionsJSON> {
    this.#requireAvailable()
    const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
    const rows = userUuid === undefined ? [] : await this.usable(userUuid)
    return generateAuthenticationOptions({
      rpID: this.rpId,
      challenge: bytesOf(this.#newChallenge(purpose)),
      timeout: LIFE_MS,
      userVerification: purpose.kind === 'sign-in' ? 'required' : 'preferred',
      allowCredentials: rows.map(descriptorOf),
    })
  }

  /** Verifies a passkey that a browser has created; returns the row for `insert`. */
  async verifyNew(userUuid: string, name: string, given: unknown) {
    const { now, newId } = this.#deps
    this.#requireAvailable()
    const parsed = Attestation.safeParse(given)
    if (!parsed.success) throw fieldError('passkey', 'This is not a response of an authenticator')
    const response: RegistrationResponseJSON = { ...parsed.data, clientExtensionResults: {} }
    const [{ verifyRegistrationResponse }, { decodeAttestationObject }] = await Promise.all([
      import('@simplewebauthn/server'),
      import('@simplewebauthn/server/helpers'),
    ])
    try {
      await requireOwnPage(response.response.clientDataJSON)
      // Certificates of the manufacturer were not requested: they are not parsed, and no revocation lists are fetched.
      const attestation = decodeAttestationObject(bytesOf(response.response.attestationObject))
      if (attestation.get('attStmt').get('x5c') !== undefined)
        throw new Error('An attestation has certificates')
      const { challenge, check } = this.#expected({ kind: 'register', subject: userUuid })
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        response,
        expectedChallenge: check,
        expectedOrigin: this.#deps.baseUrl,
        expectedRPID: this.rpId,
        requireUserVerification: false,
        supportedAlgorithmIDs: ALGORITHMS,
      })
      if (!verified) throw new Error('The passkey was not verified')
      const { id, publicKey, counter } = registrationInfo.credential
      if (bytesOf(id).length > MAX_ID_BYTES) throw new Error('The id of the passkey is too long')
      const row: PasskeyRow = {
        uuid: newId(),
        user_uuid: userUuid,
        credential_id: id,
        public_key: Buffer.from(publicKey).toString('base64url'),
        counter,
        transports: JSON.stringify(parsed.data.response.transports),
        rp_id: this.rpId,
        name,
        created_at: now(),
        last_used_at: null,
      }
      return { row, challenge: challenge() }
    } catch (error) {
      if (error instanceof AppError) throw error
      throw new AppError('validation', {
        errors: { passkey: ['This passkey could not be verified; try again'] },
        cause: error,
      })
    }
  }

  /** Runs within a transaction that has locked the user. */
  async insert({ row, challenge }: { row: PasskeyRow; challenge: UsedChallenge }): Promise<void> {
    const { store } = this.#deps
    if (!(await this.#use(challenge)))
      throw fieldError('passkey', 'This passkey could not be verified; try again')
    if ((await store.listPasskeys(row.user_uuid)).length >= MAX_PASSKEYS)
      throw new AppError('too_many_passkeys')
    if (!(await store.insertPasskey(row))) throw new AppError('passkey_present')
  }

  /**
   * Verifies the response of a passkey, of this user if one is given. As the only factor it must identify its user, and the
   * authenticator must have verified the person. Undefined if it is not valid for any reason.
   */
  async verify(
    purpose: PasskeyPurpose,
    given: unknown,
    userUuid?: string,
  ): Promise<VerifiedPasskey | undefined> {
    this.#requireAvailable()
    const parsed = Assertion.safeParse(given)
    if (!parsed.success) return undefined
    const response: AuthenticationResponseJSON = { ...parsed.data, clientExtensionResults: {} }
    const row = await this.#deps.store.findPasskey(response.id)
    if (row === undefined || row.rp_id !== this.rpId) return undefined
    if (userUuid !== undefined && row.user_uuid !== userUuid) return undefined
    const { userHandle } = response.response
    if (userHandle === undefined ? userUuid === undefined : userHandle !== handleOf(row.user_uuid))
      return undefined
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
    const { challenge, check } = this.#expected(purpose)
    try {
      await requireOwnPage(response.response.clientDataJSON)
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response,
        expectedChallenge: check,
        expectedOrigin: this.#deps.baseUrl,
        expectedRPID: this.rpId,
        requireUserVerification: purpose.kind === 'sign-in',
        credential: { id: row.credential_id, publicKey: bytesOf(row.public_key), counter: row.counter },
      })
      return verified ? { row, counter: authenticationInfo.newCounter, challenge: challenge() } : undefined
    } catch {
      return undefined
    }
  }

  /** Runs within a transaction. False if the response, or a later one of this passkey, was used meanwhile. */
  async use({ row, counter, challenge }: VerifiedPasskey): Promise<boolean> {
    const { store, now } = this.#deps
    return (await this.#use(challenge)) && store.usePasskey(row, counter, now())
  }

  #use({ hash, expiresAtMs }: UsedChallenge): Promise<boolean> {
    return this.#deps.store.useChallenge({ hash, expires_at: expiresAtMs })
  }

  #requireAvailable(): void {
    if (this.unavailable !== null) throw new AppError('passkeys_unavailable', { message: this.unavailable })
  }

  #newChallenge(purpose: PasskeyPurpose): string {
    const nonce = `${this.#deps.now() + LIFE_MS}.${randomBytes(16).toString('base64url')}`
    return Buffer.from(
      `${nonce}.${this.#deps.secrets.hash(SECRET_PURPOSE, signed(purpose, nonce))}`,
    ).toString('base64url')
  }

  /** The library's check of the challenge in a response, and the challenge to use up afterwards. */
  #expected(purpose: PasskeyPurpose) {
    const { secrets, now } = this.#deps
    let used: UsedChallenge | undefined
    const check = (challenge: string): boolean => {
      const [expires = '', random = '', mac = ''] = Buffer.from(challenge, 'base64url')
        .toString()
        .split('.', 3)
      const nonce = `${expires}.${random}`
      if (!secrets.verify(SECRET_PURPOSE, signed(purpose, nonce), mac) || Number(expires) <= now())
        return false
      used = { hash: hashOf(nonce), expiresAtMs: Number(expires) }
      return true
    }
    const challenge = (): UsedChallenge => {
      if (used === undefined) throw new Error('The challenge was not checked')
      return used
    }
    return { challenge, check }
  }
}

/** The library accepts responses of pages that another site embeds. */
const requireOwnPage = async (clientDataJSON: string): Promise<void> => {
  const { decodeClientDataJSON } = await import('@simplewebauthn/server/helpers')
  const { crossOrigin = false, topOrigin } = decodeClientDataJSON(clientDataJSON)
  if (crossOrigin || topOrigin !== undefined)
    throw new Error('The passkey was used in a page that another site embeds')
}

const signed = (purpose: PasskeyPurpose, nonce: string): string =>
  `${purpose.kind}:${'subject' in purpose ? purpose.subject : ''}:${nonce}`

const descriptorOf = ({ credential_id, transports }: PasskeyRow) => ({
  id: credential_id,
  transports: JSON.parse(transports) as string[],
})
