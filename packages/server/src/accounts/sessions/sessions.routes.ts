import type { Data } from '@waymark/contract/schemas'
import { done, finished, listedWhole, on, type Reply, type Routes } from '../../api/routes.ts'
import type { EmailService } from './email.service.ts'
import type { RecoveryService } from './recovery.service.ts'
import type { SessionService } from './sessions.service.ts'
import type { SignedIn, SignInService } from './sign-in.service.ts'

const signedIn = <S extends number>(
  status: S,
  message: string,
  { profile, cookie }: SignedIn,
): Reply<SignedIn['profile'], S> => ({
  status,
  payload: { status: 'success', message, data: profile },
  headers: { 'set-cookie': cookie },
})

interface SessionServices {
  readonly signIn: SignInService
  readonly recovery: RecoveryService
  readonly emails: EmailService
  readonly sessions: SessionService
  readonly instance: Data<'instance'>
}

export const sessionRoutes = ({ signIn, recovery, emails, sessions, instance }: SessionServices): Routes => [
  on('instance', () => done('Instance', instance)),
  on('signUp', async ({ body, request }) =>
    signedIn(201, 'Account created', await signIn.signUp(body, request)),
  ),
  on('signIn', async ({ body, request }) => signedIn(200, 'Signed in', await signIn.signIn(body, request))),
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
  on('resetPassword', ({ body }) => finished('Password set; sign in with it', recovery.resetPassword(body))),
  on('checkReset', ({ body }) => done('Reset link', recovery.checkReset(body.token))),
  on('confirmEmail', ({ body }) => finished('Email address confirmed', emails.confirm(body.token))),
  on('resendConfirmation', ({ caller }) =>
    finished('Confirmation mail sent', emails.resend(caller.userUuid)),
  ),
  on('changeEmail', ({ caller, body }) => done('Email address', emails.change(caller.userUuid, body.email))),
  on('emailStatus', ({ caller }) => done('Email address', emails.status(caller.userUuid))),
  on('sessions', ({ caller }) => listedWhole('Sessions', sessions.list(caller))),
  on('removeSession', ({ caller, body }) =>
    done('Session ended', sessions.remove(caller.userUuid, body.uuid)),
  ),
]
