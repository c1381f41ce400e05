import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

const UP = 0x01
const UV = 0x04
const ATTESTED = 0x40

const base64url = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64url')
const sha256 = (data: Uint8Array | string): Buffer => createHash('sha256').update(data).digest()

type Json = Record<string, unknown>

/** Deviations of a hostile or limited authenticator, or of the browser. */
interface Deviations {
  readonly origin?: string
  readonly rpId?: string
  readonly isVerified?: boolean
  readonly userHandle?: string
  readonly challenge?: string
  readonly counter?: number
  /** Additional members of the client data. */
  readonly client?: Json
}

/** A software authenticator for tests without a browser: one ES256 passkey. */
export class SoftwarePasskey {
  readonly id: string
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly #origin: string
  #userHandle = ''
  #counter = 0

  constructor(origin: string, idBytes = 32) {
    this.#origin = origin
    this.id = base64url(randomBytes(idBytes))
  }

  /** The response to creation options. */
  create(options: Json, deviations: Deviations = {}): Json {
    this.#userHandle = (options['user'] as { id: string }).id
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    const publicKey = isoCBOR.encode(
      new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
        [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
      ]),
    )
    const id = Buffer.from(this.id, 'base64url')
    const length = Buffer.alloc(2)
    length.writeUInt16BE(id.length)
    const authData = Buffer.concat([
      this.#authenticatorData((options['rp'] as { id: string }).id, UP | UV | ATTESTED, deviations),
      Buffer.alloc(16),
      length,
      id,
      publicKey,
    ])
    const attestationObject = isoCBOR.encode(
      new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(authData)],
      ]) as never,
    )
    return this.#credential({
      clientDataJSON: this.#clientData('webauthn.create', options, deviations),
      attestationObject: base64url(attestationObject),
      transports: ['internal'],
    })
  }

  /** The response to request options. */
  get(options: Json, deviations: Deviations = {}): Json {
    const { isVerified = true } = deviations
    const clientDataJSON = this.#clientData('webauthn.get', options, deviations)
    const rpId = options['rpId'] as string
    const authData = this.#authenticatorData(rpId, isVerified ? UP | UV : UP, deviations)
    const signed = Buffer.concat([authData, sha256(Buffer.from(clientDataJSON, 'base64url'))])
    return this.#credential({
      clientDataJSON,
      authenticatorData: base64url(authData),
      signature: base64url(sign('sha256', signed, this.#keys.privateKey)),
      userHandle: deviations.userHandle ?? this.#userHandle,
    })
  }

  #credential(response: Json): Json {
    return { id: this.id, rawId: this.id, type: 'public-key', response, clientExtensionResults: {} }
  }

  #clientData(type: string, options: Json, { origin, challenge, client }: Deviations): string {
    const asked = { challenge: challenge ?? options['challenge'], origin: origin ?? this.#origin }
    const data = { type, ...asked, crossOrigin: false, ...client }
    return base64url(JSON.stringify(data))
  }

  #authenticatorData(ownRpId: string, flags: number, { rpId = ownRpId, counter }: Deviations): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter ?? ++this.#counter)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count])
  }
}
