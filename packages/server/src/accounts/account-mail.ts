import { sites } from '@waymark/contract'
import { filled, languageOf, type NoticeText, visitorTexts } from '@waymark/page/languages'
import type { Core } from '../modules/module.ts'
import { addressBucket } from '../net/client-address.ts'
import { type Limits, takeOrReject } from '../net/limits/limits.ts'
import type { Mailer } from '../net/mail.ts'
import { Background } from '../work/background.ts'
import { HOUR_MS } from '../work/times.ts'
import type { SecurityEvents } from './security-events.ts'
import { createUserStore, type UserStore } from './users/users.store.ts'

/** Mails of one kind that a stranger can send to one recipient per hour. */
const RECIPIENT_LIMIT = 3
/** Mails per hour that one client address, or one account, can send. */
const SENDER_LIMIT = 30
/** Notices of one kind per account and hour; the owner knows by then. */
const NOTICE_LIMIT = 20
/** How long a stop waits for mails in progress, in case a mail server hangs. */
const CLOSE_MS = 2_000

/** Kinds of mails that people without a session, or with a new account, can cause. */
type Requested = 'confirmation' | 'reset' | 'email_change' | 'invitation'

/** Events that an account's owner is notified of, by mail and on the Security screen. */
export type AccountNotice =
  | { readonly kind: 'password_changed' }
  | { readonly kind: 'password_reset'; readonly keptKeys: boolean }
  | { readonly kind: 'email_changed'; readonly to: string }
  | { readonly kind: 'key_created'; readonly name: string | null; readonly apiKey: string }
  | { readonly kind: 'token_created'; readonly name: string | null }
  | { readonly kind: 'second_factor'; readonly change: string }
  | { readonly kind: 'identity'; readonly change: string }
  | { readonly kind: 'member_joined'; readonly email: string; readonly workspace: string }
  | { readonly kind: 'new_browser'; readonly browser: string; readonly at: string }

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ')

interface Text {
  readonly subject: string
  readonly lines: readonly string[]
}

/** If password sign-in is off, a new password does not help. */
const elseReset = (forgot: string | undefined): string =>
  forgot === undefined
    ? 'If this was not you, ask the operator of this instance for help.'
    : `If this was not you, set a new password now:\n${forgot}`

const notices: {
  [K in AccountNotice['kind']]: (
    notice: Extract<AccountNotice, { kind: K }>,
    urls: { readonly forgot: string | undefined; readonly settings: string; readonly members: string },
  ) => Text
} = {
  password_changed: (_notice, { forgot }) => ({
    subject: 'Your Waymark password was changed',
    lines: [
      'The password of your Waymark account was changed, and all other sessions were ended. API keys stay valid.',
      elseReset(forgot),
    ],
  }),
  password_reset: ({ keptKeys }) => ({
    subject: 'Your Waymark password was changed',
    lines: [
      `The password of your Waymark account was reset, and all sessions were ended. API keys and webhooks were ${keptKeys ? 'kept' : 'disabled'}.`,
      'If this was not you, ask the operator of this instance for help.',
    ],
  }),
  email_changed: ({ to }) => ({
    subject: 'The email address of your Waymark account was changed',
    lines: [
      `The email address of your Waymark account is now ${to}. Mails about the account are no longer sent here.`,
      'If this was not you, ask the operator of this instance for help.',
    ],
  }),
  token_created: ({ name }, { forgot, settings }) => ({
    subject: 'A new access token for your Waymark account',
    lines: [
      `An access token was created for your Waymark account${name === null ? '' : `: ${oneLine(name)}`}.`,
      `If this was not you, revoke it:\n${settings}`,
      ...(forgot === undefined ? [] : [`and set a new password:\n${forgot}`]),
    ],
  }),
  key_created: ({ name, apiKey }, { forgot, settings }) => ({
    subject: 'A new API key for your Waymark account',
    lines: [
      `An API key was created for your Waymark account: ${apiKey}${name === null ? '' : ` (${oneLine(name)})`}.`,
      `If this was not you, revoke it:\n${settings}`,
      ...(forgot === undefined ? [] : [`and set a new password:\n${forgot}`]),
    ],
  }),
  new_browser: ({ browser, at }, { forgot }) => ({
    subject: 'A new browser signed in to your Waymark account',
    lines: [
      `A browser that had not been used with your Waymark account signed in at ${at}: ${browser}`,
      elseReset(forgot),
    ],
  }),
  member_joined: ({ email, workspace }, { members }) => ({
    subject: 'A new member of your Waymark workspace',
    lines: [
      `${email} accepted your invitation to the workspace ${oneLine(workspace)}.`,
      `If you did not invite them, remove the member:\n${members}`,
    ],
  }),
  identity: ({ change }, { forgot }) => ({
    subject: 'A way to sign in to your Waymark account was changed',
    lines: [change, elseReset(forgot)],
  }),
  second_factor: ({ change }, { forgot }) => ({
    subject: 'The second factor of your Waymark account was used or changed',
    lines: [change, elseReset(forgot)],
  }),
}

/** `ada+anything@example.com` is the same mailbox as `ada@example.com` at most providers. */
const mailboxOf = (address: string): string => {
  const [local = '', ...domain] = address.toLowerCase().split('@')
  return [local.split('+', 1).join(''), ...domain].join('@')
}

export interface AccountMailDependencies {
  readonly mailer: Mailer
  readonly limits: Limits
  readonly users: UserStore
  readonly events: SecurityEvents
  readonly background: Background
  readonly dashboardUrl: string
  /** Whether users can sign in with a password. */
  readonly passwordSignIn: boolean
}

/** Sends all mails about accounts: their texts, their limits, and sending in the background. */
export class AccountMail {
  readonly #deps: AccountMailDependencies

  constructor(deps: AccountMailDependencies) {
    this.#deps = deps
  }

  /** Without `SMTP_URL` no mail is sent, and every address counts as confirmed. */
  get enabled(): boolean {
    return this.#deps.mailer.enabled
  }

  /** Counts a mail that a client address or an account causes; 429 above the limit. */
  async takeSender(sender: { readonly address: string } | { readonly userUuid: string }): Promise<void> {
    const name = 'address' in sender ? addressBucket(sender.address) : sender.userUuid
    await takeOrReject(this.#deps.limits, `mail-from:${name}`, SENDER_LIMIT, HOUR_MS)
  }

  /** Counts a mail to a recipient; 429 above the limit. */
  async takeRecipient(kind: Requested, to: string): Promise<void> {
    await takeOrReject(this.#deps.limits, bucketOf(kind, to), RECIPIENT_LIMIT, HOUR_MS)
  }

  /** Like `takeRecipient`, for requests where a rejection would reveal that an account exists. */
  async mayReceive(kind: Requested, to: string): Promise<boolean> {
    return (await this.#deps.limits.take(bucketOf(kind, to), RECIPIENT_LIMIT, 1, HOUR_MS)).allowed
  }

  sendConfirmation(to: string, token: string): void {
    this.#send(to, {
      subject: 'Confirm your email address for Waymark',
      lines: [
        `Confirm this email address within 24 hours:\n${this.#deps.dashboardUrl}/confirm-email?token=${token}`,
        'If you did not sign up for Waymark, ignore this mail.',
      ],
    })
  }

  /** In the language of the browser that requested it. */
  async sendReset(to: string, url: string, acceptLanguage: string | undefined): Promise<void> {
    await this.#deliver(to, textFrom(visitorTexts[languageOf(acceptLanguage)].resetMail, { url }))
  }

  /** To the current address, before it is replaced. Never skipped: its link is how the owner can stop the change. */
  sendCancellation(to: string, newEmail: string, token: string): void {
    this.#send(to, {
      subject: 'The email address of your Waymark account is about to change',
      lines: [
        `Your Waymark account will use ${newEmail} once that address is confirmed.`,
        `If this was not you, cancel the change and set a new password:\n${this.#deps.dashboardUrl}/cancel-email-change?token=${token}`,
      ],
    })
  }

  /**
   * Invites someone, in the language of the inviting user's browser, because no other is known. Above the recipient's limit no
   * mail is sent, but the link works.
   */
  sendInvitation(
    to: string,
    from: { readonly workspace: string; readonly name: string },
    url: string,
    acceptLanguage: string | undefined,
  ): void {
    const { limits, background } = this.#deps
    if (!this.enabled) return
    background.start(async () => {
      if (!(await limits.take(bucketOf('invitation', to), RECIPIENT_LIMIT, 1, HOUR_MS)).allowed) return
      const { invitationMail } = visitorTexts[languageOf(acceptLanguage)]
      const names = { workspace: oneLine(from.workspace), name: oneLine(from.name) }
      await this.#deliver(to, textFrom(invitationMail, { ...names, url }))
    })
  }

  /** Runs work that may send a mail after the response, whose time then does not reveal whether the account exists. */
  later(work: () => Promise<void>): void {
    this.#deps.background.start(work)
  }

  /** Notifies the owner of an account. `email`: an address that the account no longer has. */
  notify(user: { readonly userUuid: string; readonly email?: string }, notice: AccountNotice): void {
    const { users, events, limits, dashboardUrl, passwordSignIn, background } = this.#deps
    background.start(async () => {
      const found = await users.find(user.userUuid)
      const to = user.email ?? found?.email
      if (found === undefined || to === undefined) return
      // Every sign-in has been recorded already.
      if (notice.kind !== 'new_browser')
        await events.record(user.userUuid, notice.kind, { detail: detailOf(notice) })
      if (!this.enabled) return
      if (!(await limits.take(`mail:${notice.kind}:${to}`, NOTICE_LIMIT, 1, HOUR_MS)).allowed) return
      const urls = {
        forgot: passwordSignIn ? `${dashboardUrl}/forgot-password` : undefined,
        settings: `${dashboardUrl}/settings?tab=keys`,
        members: `${dashboardUrl}/settings?tab=members`,
      }
      const text = notices[notice.kind] as (of: AccountNotice, at: typeof urls) => Text
      await this.#deliver(to, text(notice, urls))
    })
  }

  #send(to: string, text: Text): void {
    this.#deps.background.start(() => this.#deliver(to, text))
  }

  #deliver(to: string, { subject, lines }: Text): Promise<void> {
    return this.#deps.mailer.send({ to, subject, text: `${lines.join('\n\n')}\n` })
  }
}

function detailOf(notice: AccountNotice): string | null {
  if ('change' in notice) return notice.change
  if ('name' in notice) return notice.name
  if (notice.kind === 'member_joined') return `${notice.email} joined ${notice.workspace}`
  return notice.kind === 'email_changed' ? notice.to : null
}

const textFrom = ({ title, says }: NoticeText, values: Readonly<Record<string, string>>): Text => ({
  subject: filled(title, values),
  lines: says.map((line) => filled(line, values)),
})

const bucketOf = (kind: Requested, to: string): string => `mail:${kind}:${mailboxOf(to)}`

/** The mail service of this instance. A stop waits for mails in progress. */
export function openAccountMail(
  { config, db, limits, mailer, closing, reportError }: Core,
  events: SecurityEvents,
): AccountMail {
  const background = new Background(reportError)
  closing.defer(() => background.close(CLOSE_MS))
  const dashboardUrl = config.baseUrl + sites.dashboard
  return new AccountMail({
    mailer,
    limits,
    users: createUserStore(db),
    events,
    background,
    dashboardUrl,
    passwordSignIn: config.passwordSignIn,
  })
}
