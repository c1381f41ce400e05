import type { Data } from '@waymark/contract/schemas'
import { done, on, type Reply, type Routes } from '../../api/routes.ts'
import type { SessionService } from './sessions.service.ts'
import type { SignedIn, SignInService } from './sign-in.service.ts'

const signedIn = (
  status: number,
  message: string,
  { profile, cookie }: SignedIn,
): Reply<SignedIn['profile']> => ({
  status,
  payload: { status: 'success', message, data: profile },
  headers: { 'set-cookie': cookie },
})

export const sessionRoutes = (
  signIn: SignInService,
  sessions: SessionService,
  instance: Data<'instance'>,
): Routes => [
  on('instance', () => done('Instance', instance)),
  on('signUp', async ({ body, request }) =>
    signedIn(201, 'Account created', await signIn.signUp(body, request)),
  ),
  on('signIn', async ({ body, request }) => signedIn(200, 'Signed in', await signIn.signIn(body, request))),
  on('signOut', async ({ caller }) => {
    await sessions.remove(caller.userUuid, caller.uuid)
    const headers = { 'set-cookie': sessions.cookie(undefined) }
    return { ...(await done('Signed out', null)), headers }
  }),
  on('forgotPassword', ({ body, request }) =>
    done('If there is such an account, a mail is on its way', signIn.forgotPassword(body.email, request)),
  ),
  on('resetPassword', ({ body }) => done('Password set; sign in with it', signIn.resetPassword(body))),
  on('sessions', ({ caller }) => done('Sessions', sessions.list(caller))),
  on('removeSession', ({ caller, body }) =>
    done('Session ended', sessions.remove(caller.userUuid, body.uuid)),
  ),
]
