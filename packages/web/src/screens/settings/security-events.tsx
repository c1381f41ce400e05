import { useQuery } from '@tanstack/react-query'
import { CircleCheck, TriangleAlert } from 'lucide-react'
import {
  emailStatusQuery,
  instanceQuery,
  secondFactorsQuery,
  securityEventsQuery,
} from '../../api/account.ts'
import type { api } from '../../api/client.ts'
import { Failure } from '../../ui/failure.tsx'
import { Card } from '../../ui/screen.tsx'
import { ago, DAY_MS, momentOf } from '../../ui/times.ts'
import { countryName } from '../link/rules/rule-words.ts'
import { browserName } from './browser-name.ts'

type SecurityEvent = Awaited<ReturnType<typeof api.securityEvents>>['data'][number]

/** A mistyped password is not worth a warning for as long as it is listed. */
const isLately = (iso: string): boolean => Date.now() - Date.parse(iso) < 7 * DAY_MS

/** A summary of what protects the account, and what is missing. */
export function Protection() {
  const { data: factors } = useQuery(secondFactorsQuery)
  const { data: email } = useQuery(emailStatusQuery)
  const { data: instance } = useQuery(instanceQuery)
  const { data: events } = useQuery(securityEventsQuery)
  if (factors === undefined || email === undefined || events === undefined) return null
  const signsInByPassword = factors.password && instance?.password_sign_in !== false
  const hasFactor = factors.totp || factors.passkeys.length > 0
  const refused = events
    .filter(({ kind, created_at }) => kind === 'sign_in_refused' && isLately(created_at))
    .reduce((sum, { count }) => sum + count, 0)
  const points: [isGood: boolean, text: string][] = [
    hasFactor
      ? [true, 'Signing in takes a second factor or a passkey.']
      : [
          false,
          `${signsInByPassword ? 'A stolen password is enough to sign in' : 'Signing in takes one step'}: set up two-step sign-in or a passkey.`,
        ],
    ...(!hasFactor
      ? []
      : [
          factors.recovery_codes_left > 2
            ? ([true, `${factors.recovery_codes_left} recovery codes are left.`] as [boolean, string])
            : ([
                false,
                `${factors.recovery_codes_left} recovery codes are left: create new ones, so that a lost phone does not lock you out.`,
              ] as [boolean, string]),
        ]),
    // Without mail every address counts as confirmed.
    ...(instance?.mail === false
      ? []
      : [
          email.confirmed
            ? ([true, 'Your email address is confirmed.'] as [boolean, string])
            : ([
                false,
                'Your email address is not confirmed: a forgotten password could not be replaced.',
              ] as [boolean, string]),
        ]),
    refused === 0
      ? [true, 'No sign-in has failed lately.']
      : [
          false,
          `${refused === 1 ? 'One sign-in' : `${refused} sign-ins`} failed lately. If that was not you, choose a password used nowhere else.`,
        ],
  ]
  return (
    <Card title="At a glance">
      <ul className="space-y-2">
        {points.map(([isGood, text]) => (
          <li key={text} className="flex items-start gap-2.5">
            {isGood ? (
              <CircleCheck aria-label="Good:" size={20} className="mt-0.5 shrink-0 text-brand" />
            ) : (
              <TriangleAlert aria-label="Missing:" size={20} className="mt-0.5 shrink-0 text-warn" />
            )}
            <span className="min-w-0">{text}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

const steps: Readonly<Record<string, string>> = {
  password: 'the password',
  passkey: 'a passkey',
  oidc: 'single sign-on',
  link: 'a link from the operator',
  totp: 'a code from the app',
  recovery: 'a recovery code',
}

/** The sign-in method: "password+totp" is a password, then a code. */
function signInSentence(detail: string): string {
  if (detail === 'sign_up') return 'Signed up'
  const words = detail.split('+').flatMap((step) => steps[step] ?? [])
  return words.length === 0 ? 'Signed in' : `Signed in with ${words.join(' and ')}`
}

function sentenceOf({ kind, detail, count }: SecurityEvent): string {
  switch (kind) {
    case 'sign_in':
      return signInSentence(detail ?? '')
    case 'sign_in_refused':
      return count === 1 ? 'A sign-in failed' : `${count} sign-ins failed`
    case 'password_changed':
      return 'The password was changed'
    case 'password_reset':
      return 'The password was reset'
    case 'email_changed':
      return `The email address was changed to ${detail}`
    case 'key_created':
      return detail === null ? 'An API key was created' : `The API key ${detail} was created`
    case 'token_created':
      return detail === null ? 'An access token was created' : `The access token ${detail} was created`
    default:
      return detail ?? kind
  }
}

/** Failed sign-ins are counted by the hour. */
const timeOf = ({ kind, created_at }: SecurityEvent): string =>
  kind === 'sign_in_refused' ? `in the hour from ${momentOf(created_at)}` : ago(created_at)

/** Recent sign-ins, and changes of access. */
export function RecentEvents() {
  const query = useQuery(securityEventsQuery)
  return (
    <Card title="Recent sign-ins and changes" lead="What happened to your account in the last 90 days.">
      {query.isError && <Failure error={query.error} onRetry={() => void query.refetch()} />}
      <ul className="divide-y divide-line">
        {query.data?.map((event) => (
          <li
            key={event.uuid}
            className="flex flex-wrap items-baseline gap-x-4 gap-y-1 py-2.5 first:pt-0 last:pb-0"
          >
            <p className="min-w-0 flex-1 basis-64 wrap-anywhere">{sentenceOf(event)}</p>
            <p className="text-sm text-muted">
              {[
                event.user_agent === null ? '' : browserName(event.user_agent),
                event.country === null ? '' : countryName(event.country),
              ]
                .filter((part) => part !== '')
                .join(', ')}
            </p>
            <time
              dateTime={event.created_at}
              title={momentOf(event.created_at)}
              className="text-sm text-faint"
            >
              {timeOf(event)}
            </time>
          </li>
        ))}
      </ul>
    </Card>
  )
}
