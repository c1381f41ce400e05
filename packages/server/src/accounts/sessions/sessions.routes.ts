import type { Data } from '@waymark/contract/schemas'
import { done, finished, listedWhole, on, type Reply, type Routes } from '../../api/routes.ts'
import { isProved } from '../../net/caller.ts'
import { AppError, fieldError, invalidFields } from '../../net/errors.ts'
import type { FactorService } from '../factors/factors.service.ts'
import type { PasskeyService } from '../factors/passkeys.service.ts'
import type { IdentityService } from '../oidc/identities.service.ts'
import type { SecurityEvents } from '../security-events.ts'
import type { AccountService } from '../users/accounts.service.ts'
import type { EmailService } from './email.service.ts'
import type { RecoveryService } from './recovery.service.ts'
import type { SessionService } from './sessions.service.ts'
import type { SignedIn, SignInService } from './sign-in.service.ts'

const signedIn = <S extends number>(
  status: S,
  message: string,
  { profile, cookies }: SignedIn,
): Reply<SignedIn['profile'], S> => ({
  status,
  payload: { status: 'success', message, data: profile },
  headers: { 'set-cookie': cookies },
})

/** Responds with the session, or with the required second step. */
const firstStep = (
  outcome: Awaited<ReturnType<SignInService['signIn']>>,
  cookies: readonly string[] = [],
): Reply<Data<'signIn'>, 200 | 202> => {
  if ('profile' in outcome)
    return signedIn(200, 'Signed in', { ...outcome, cookies: [...outcome.cookies, ...cookies] })
  const payload = {
    status: 'success',
    message: 'Enter the code of your second factor',
    data: outcome,
  } as const
  return { status: 202, payload, ...(cookies.length > 0 && { headers: { 'set-cookie': cookies } }) }
}

const wrongPasskey = (): AppError => fieldError('passkey', 'This passkey is not valid here; try another way')

interface SessionServices {
  readonly accounts: AccountService
  readonly factors: FactorService
  readonly passkeys: PasskeyService
  readonly identities: IdentityService
  readonly signIn: SignInService
  readonly recovery: RecoveryService
  readonly emails: EmailService
  readonly sessions: SessionService
  readonly events: SecurityEvents
  readonly instance: Data<'instance'>
  readonly now: () => number
}

export const sessionRoutes = ({
  accounts,
  factors,
  passkeys,
  identities,
  signIn,
  recovery,
  emails,
  sessions,
  events,
  instance,
  now,
}: SessionServices): Routes => [
  on('instance', () => done('Instance', instance)),
  on('signUp', async ({ body, request }) =>
    signedIn(201, 'Account created', await signIn.signUp(body, request)),
  ),
  on('signIn', async ({ body, request }) => {
    return firstStep(await signIn.signIn(body, request))
  }),
  on('signInWithOidc', async ({ body, request }) => {
    const response = { query: body.query, cookie: request.oidcToken }
    return firstStep(await signIn.signInWithOidc(response, request), [identities.endCookie])
  }),
  on('signInWithLink', async ({ body, request }) =>
    firstStep(await signIn.signInWithLink(body.token, request)),
  ),
  on('verifySecondFactor', async ({ body, request }) =>
    signedIn(200, 'Signed in', await signIn.verifySecondFactor(body, request)),
  ),
  on('passkeySignInOptions', async ({ body }) =>
    done('Use the passkey', { options: { ...(await signIn.passkeyOptions(body.challenge)) } }),
  ),
  on('signInWithPasskey', async ({ body, request }) =>
    signedIn(200, 'Signed in', await signIn.signInWithPasskey(body.passkey, request)),
  ),
  on('reauthenticationMethods', async ({ caller }) => {
    const { userUuid, uuid } = caller
    const methods = await factors.methodsOf(userUuid)
    const hasPasskey = (await passkeys.usable(userUuid)).length > 0
    const options = hasPasskey
      ? await passkeys.requestOptions({ kind: 'proof', subject: uuid }, userUuid)
      : null
    const { password } = await factors.status(userUuid)
    const hasIdentity = await identities.isLinked(userUuid)
    return done('Ways to confirm that it is you', {
      required: !isProved(caller, now()),
      methods: [
        ...(password ? ['password' as const] : []),
        ...methods,
        ...(hasIdentity ? ['oidc' as const] : []),
      ],
      passkey_options: options && { ...options },
    })
  }),
  on('reauthenticate', {
    prepare: async ({ caller, body: { password, code, passkey, oidc }, request }) => {
      const { userUuid, uuid } = caller
      if (password != null) await accounts.checkPassword(userUuid, password, 'password')
      else if (passkey != null) {
        const verified = await passkeys.verify({ kind: 'proof', subject: uuid }, passkey, userUuid)
        if (verified === undefined) throw wrongPasskey()
        return { verified }
      } else if (oidc != null) await identities.prove(caller, { query: oidc, cookie: request.oidcToken })
      else return { giveBack: await factors.takeTry({ userUuid, trier: 'session' }, code ?? '') }
      return {}
    },
    run: async ({ caller, body: { code } }, proof) => {
      const cookie = await sessions.prove(caller, async () => {
        if (proof.verified !== undefined && !(await passkeys.use(proof.verified))) throw wrongPasskey()
        if (proof.giveBack === undefined) return
        await factors.checkCode(caller.userUuid, code ?? '')
        await proof.giveBack()
      })
      return { ...(await finished('Confirmed')), headers: { 'set-cookie': cookie } }
    },
  }),
  on('signOut', async ({ caller }) => {
    await sessions.remove(caller.userUuid, caller.uuid)
    const headers = { 'set-cookie': sessions.cookie(undefined) }
    return { ...(await finished('Signed out')), headers }
  }),
  on('forgotPassword', ({ body, request }) =>
    finished(
      'If there is such an account, a mail is on its way',
      recovery.forgotPassword(body.email, request),
    ),
  ),
  on('resetPassword', async ({ body, request }) => {
    const { cookie } = await recovery.resetPassword(body, request.browserToken)
    return { ...(await finished('Password set; sign in with it')), headers: { 'set-cookie': cookie } }
  }),
  on('checkReset', ({ body }) => done('Reset link', recovery.checkReset(body.token))),
  on('confirmEmail', ({ body }) => finished('Email address confirmed', emails.confirm(body.token))),
  on('resendConfirmation', {
    prepare: ({ caller }) => emails.admitResend(caller.userUuid),
    run: (_context, unconfirmed) => finished('Confirmation mail sent', emails.resend(unconfirmed)),
  }),
  on('changeEmail', {
    alsoInvalid: ({ caller, body: { password } }) =>
      password == null
        ? Promise.resolve({})
        : invalidFields(() => accounts.checkPassword(caller.userUuid, password, 'password')),
    prepare: async ({ caller, body, request }) => {
      if (body.password != null) await accounts.checkPassword(caller.userUuid, body.password, 'password')
      else if (!isProved(caller, now()))
        throw new AppError('reauthenticate', { extra: { reauthenticate: true } })
      await emails.admitChange(caller.userUuid, body.email, request)
    },
    run: async ({ caller, body }) => {
      // A password change ends pending changes of the address, also one that is about to be stored.
      await sessions.requirePresent(caller)
      return done('Email address', emails.change(caller.userUuid, body.email))
    },
  }),
  on('cancelEmailChange', ({ body }) =>
    finished('Change of the email address cancelled', emails.cancelChange(body.token)),
  ),
  on('emailStatus', ({ caller }) => done('Email address', emails.status(caller.userUuid))),
  on('sessions', ({ caller }) => listedWhole('Sessions', sessions.list(caller))),
  on('securityEvents', ({ caller }) => listedWhole('Security events', events.list(caller.userUuid))),
  on('removeSession', ({ caller, body }) =>
    done('Session ended', sessions.remove(caller.userUuid, body.uuid)),
  ),
]
