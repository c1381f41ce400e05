import { z } from 'zod'
import { Profile } from './accounts.ts'
import { described, named } from './described.ts'
import { opaque, required, singleLine, uuid } from './fields.ts'
import { Nothing, Removed, resourceTexts, success, time, wholeList } from './responses.ts'

const factorTexts = {
  has_password: 'Whether the account has a password.',
  totp: 'Whether an authenticator app is set up.',
  totp_since: 'When the authenticator app was set up (ISO 8601, UTC), or null.',
  recovery_codes_left: 'Recovery codes that have not been used.',
  secret: 'The secret for the authenticator app, in base 32.',
  otpauth_url: 'The same as an address, for a QR code that the app scans.',
  recovery_codes: 'Ten codes. Each replaces a code of the app once. Shown this once.',
  code: 'The code that the authenticator app shows, or a recovery code.',
  challenge: 'Identifies this sign-in in `verify-second-factor`. Valid for 5 minutes.',
  second_factor: 'What can complete the sign-in.',
  password: 'The current password of the account.',
  passkeys: 'The passkeys of the user, oldest first.',
  passkeys_unavailable: 'Why this instance cannot use passkeys; null where it can.',
  passkey: 'The response of the authenticator: the JSON form of what `navigator.credentials` returns.',
  options: 'The options for `navigator.credentials`, in their JSON form. Valid for 5 minutes.',
  methods: 'What this user can confirm with.',
  query: 'The query of the address that the OpenID provider sent the browser back to.',
  oidc: 'The query of the address that the OpenID provider sent the browser back to, after `begin-oidc-proof`.',
}

const Passkey = named(
  'Passkey',
  'A passkey of the user.',
  z.object(
    described(
      {
        ...resourceTexts,
        name: 'What the user calls it.',
        last_used_at: 'When it was last used (ISO 8601, UTC), or null.',
      },
      { uuid: z.string(), name: z.string(), created_at: time, last_used_at: time.nullable() },
    ),
  ),
)

/** The JSON forms of WebAuthn, which are defined by the libraries of browser and server. */
const webAuthnJson = z.record(z.string(), z.unknown())
const PasskeyOptions = success(z.object(described(factorTexts, { options: webAuthnJson })))
const passkey = webAuthnJson

/** The second factors of a user. */
export const SecondFactors = named(
  'SecondFactors',
  'The second factors of the user.',
  z.object(
    described(
      { ...factorTexts, password: factorTexts.has_password },
      {
        password: z.boolean(),
        totp: z.boolean(),
        totp_since: time.nullable(),
        recovery_codes_left: z.int(),
        passkeys: z.array(Passkey),
        passkeys_unavailable: z.string().nullable(),
      },
    ),
  ),
)

/** The response to a right password if a second factor is set up: there is no session yet. */
export const SecondFactorStep = named(
  'SecondFactorStep',
  'A sign-in that needs a second factor.',
  z.object(
    described(factorTexts, {
      second_factor: z.array(z.enum(['totp', 'passkey', 'recovery'])),
      challenge: z.string(),
    }),
  ),
)

const TotpSetup = named(
  'TotpSetup',
  'The secret of an authenticator app that waits for its first code.',
  z.object(described(factorTexts, { secret: z.string(), otpauth_url: z.string() })),
)

const RecoveryCodes = named(
  'RecoveryCodes',
  'New recovery codes. Earlier ones are no longer valid.',
  z.object(described(factorTexts, { recovery_codes: z.array(z.string()) })),
)

const code = required(opaque(64))
const query = required(opaque(8_192))

const Identity = named(
  'Identity',
  'An identity at the OpenID provider that signs the user in.',
  z.object(
    described(
      {
        ...resourceTexts,
        issuer: 'The provider.',
        email: 'The email address that the provider gave, or null. It does not identify the user.',
        last_used_at: 'When it was last used (ISO 8601, UTC), or null.',
      },
      {
        uuid: z.string(),
        issuer: z.string(),
        email: z.string().nullable(),
        created_at: time,
        last_used_at: time.nullable(),
      },
    ),
  ),
)

const ProviderAddress = success(
  z.object(
    described(
      { url: 'The address of the provider, for the browser. Come back within 10 minutes.' },
      { url: z.string() },
    ),
  ),
)
const providerResponse = z.object(described(factorTexts, { query }))

/** Body, query and response of everything about second factors. */
export const factorSchemas = {
  secondFactors: { response: success(SecondFactors) },
  setUpTotp: { body: z.object({}), response: success(TotpSetup) },
  confirmTotp: {
    body: z.object(described({ code: 'The code that the authenticator app shows.' }, { code })),
    response: success(RecoveryCodes),
  },
  removeTotp: { body: z.object({}), response: success(SecondFactors) },
  replaceRecoveryCodes: { body: z.object({}), response: success(RecoveryCodes) },
  beginOidc: { body: z.object({}), response: ProviderAddress },
  beginOidcProof: { body: z.object({}), response: ProviderAddress },
  setUpIdentity: { body: z.object({}), response: ProviderAddress },
  signInWithOidc: {
    body: providerResponse,
    response: success(z.union([Profile, SecondFactorStep])),
  },
  signInWithLink: {
    body: z.object(described({ token: 'The token in the link.' }, { token: required(opaque(256)) })),
    response: success(z.union([Profile, SecondFactorStep])),
  },
  identities: { response: wholeList(Identity) },
  addIdentity: { body: providerResponse, response: success(Identity) },
  removeIdentity: { body: z.object({ uuid }), response: success(Removed) },
  verifySecondFactor: {
    body: z
      .object(
        described(factorTexts, {
          challenge: required(opaque(256)),
          code: code.nullish(),
          passkey: passkey.nullish(),
        }),
      )
      .refine(({ code: typed, passkey: given }) => (typed ?? given ?? null) !== null, {
        path: ['code'],
        message: 'Enter a code, or send a passkey in `passkey`',
      }),
    response: success(Profile),
  },
  passkeySignInOptions: {
    body: z.object(
      described(
        {
          challenge:
            'The challenge of a sign-in that needs a second factor; without it, of a sign-in by passkey alone.',
        },
        { challenge: required(opaque(256)).nullish() },
      ),
    ),
    response: PasskeyOptions,
  },
  signInWithPasskey: {
    body: z.object(described(factorTexts, { passkey })),
    response: success(Profile),
  },
  setUpPasskey: { body: z.object({}), response: PasskeyOptions },
  addPasskey: {
    body: z.object(
      described(
        {
          name: 'What you call it, for example the device. At most 60 characters.',
          passkey: factorTexts.passkey,
        },
        { name: required(singleLine(60)), passkey },
      ),
    ),
    response: success(
      z.object(
        described(
          {
            passkey: 'The new passkey.',
            recovery_codes:
              'Ten recovery codes if this is the first second factor, otherwise none. Shown this once.',
          },
          { passkey: Passkey, recovery_codes: z.array(z.string()) },
        ),
      ),
    ),
  },
  removePasskey: { body: z.object({ uuid }), response: success(SecondFactors) },
  reauthenticationMethods: {
    response: success(
      z.object(
        described(
          {
            required: 'Whether operations that need a proof reject this session now.',
            methods: factorTexts.methods,
            passkey_options: 'For a passkey: the options for `navigator.credentials`, else null.',
          },
          {
            required: z.boolean(),
            methods: z.array(z.enum(['password', 'totp', 'passkey', 'recovery', 'oidc'])),
            passkey_options: webAuthnJson.nullable(),
          },
        ),
      ),
    ),
  },
  reauthenticate: {
    body: z
      .object(
        described(factorTexts, {
          password: required(opaque(256)).nullish(),
          code: code.nullish(),
          passkey: passkey.nullish(),
          oidc: query.nullish(),
        }),
      )
      .refine(
        ({ password, code: typed, passkey: given, oidc }) =>
          (password ?? typed ?? given ?? oidc ?? null) !== null,
        {
          path: ['password'],
          message: 'Enter your password, or a code in `code`, or send a passkey in `passkey`',
        },
      ),
    response: success(Nothing),
  },
}
