import { z } from 'zod'
import { Profile } from './accounts.ts'
import { described, named } from './described.ts'
import { requiredText } from './fields.ts'
import { Nothing, success, time } from './responses.ts'

const factorTexts = {
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
}

/** What a user has set up to prove who they are, beside the password. */
export const SecondFactors = named(
  'SecondFactors',
  'The second factors of the user.',
  z.object(
    described(factorTexts, {
      totp: z.boolean(),
      totp_since: time.nullable(),
      recovery_codes_left: z.int(),
    }),
  ),
)

/** The response to a right password where a second factor is set up: there is no session yet. */
export const SecondFactorStep = named(
  'SecondFactorStep',
  'A sign-in that needs a second factor.',
  z.object(
    described(factorTexts, {
      second_factor: z.array(z.enum(['totp', 'recovery'])),
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

const code = requiredText(64)

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
  verifySecondFactor: {
    body: z.object(described(factorTexts, { challenge: requiredText(256), code })),
    response: success(Profile),
  },
  reauthenticate: {
    body: z
      .object(described(factorTexts, { password: requiredText(256).nullish(), code: code.nullish() }))
      .refine(({ password, code: given }) => (password ?? given ?? null) !== null, {
        path: ['password'],
        message: 'Enter your password, or a code in `code`',
      }),
    response: success(Nothing),
  },
}
