import { z } from 'zod'
import { list, ListQuery, Removed, success, time } from './answers.ts'
import { Profile } from './accounts.ts'
import { email, isConfirmed, newPassword, passwordsMatch, requiredText, text, uuid } from './fields.ts'

/** An API key as it is listed: never with its secret. */
export const ApiKey = z.object({
  uuid: z.string(),
  api_key: z.string(),
  name: z.string().nullable(),
  created_at: time,
  last_used_at: time.nullable(),
})

/** A new API key: the only time that its secret is seen. */
export const NewApiKey = ApiKey.extend({ secret: z.string() })

/** A dashboard session. */
export const Session = z.object({
  uuid: z.string(),
  user_agent: z.string().nullable(),
  created_at: time,
  last_used_at: time,
  current: z.boolean(),
})

/** What a visitor of the dashboard needs to know before signing in. */
export const Instance = z.object({
  name: z.string(),
  base_url: z.string(),
  signup: z.enum(['open', 'closed']),
})

const twicePassword = z
  .object({ token: requiredText(256), password: newPassword, confirm_password: requiredText(256) })
  .refine(isConfirmed, passwordsMatch)

/** Body, query and answer of what only the dashboard does. */
export const dashboardSchemas = {
  instance: { answer: success(Instance) },
  signUp: {
    body: z.object({
      email,
      password: newPassword,
      first_name: text().nullish(),
      last_name: text().nullish(),
    }),
    answer: success(Profile),
  },
  signIn: { body: z.object({ email, password: requiredText(256) }), answer: success(Profile) },
  signOut: { body: z.object({}), answer: success(z.null()) },
  forgotPassword: { body: z.object({ email }), answer: success(z.null()) },
  resetPassword: { body: twicePassword, answer: success(z.null()) },
  sessions: { answer: success(z.array(Session)) },
  removeSession: { body: z.object({ uuid }), answer: success(Removed) },
  keys: { query: ListQuery.omit({ search: true }), answer: list(ApiKey) },
  generateKey: { body: z.object({ name: text(100).nullish() }), answer: success(NewApiKey) },
  removeKey: { body: z.object({ uuid }), answer: success(Removed) },
}
