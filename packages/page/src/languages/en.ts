import { englishWords, type PageWords } from '../view.ts'

/** A title and the sentences below it. */
export interface NoticeText {
  readonly title: string
  readonly says: readonly string[]
}

/**
 * All texts for people outside the dashboard: visitors of links and pages, and recipients of a reset or an invitation. A
 * language is one file; a missing text is a type error.
 */
export interface VisitorTexts {
  /** The second sentence is left out if short codes ignore case. */
  readonly notFound: NoticeText
  readonly notYet: NoticeText
  /** Expired, used up or deleted. */
  readonly ended: NoticeText
  /** The second sentence contains `{contact}` and is left out without one. */
  readonly blocked: NoticeText
  readonly unavailable: NoticeText
  readonly wrongMethod: NoticeText
  readonly password: NoticeText
  readonly passwordLabel: string
  readonly passwordWrong: string
  readonly wait: NoticeText
  readonly limited: NoticeText
  readonly preview: NoticeText
  readonly previewProtected: string
  readonly destination: string
  readonly iosDestination: string
  readonly androidDestination: string
  readonly next: string
  readonly reportLabel: string
  readonly reportHint: string
  readonly report: string
  readonly reported: NoticeText
  /** At the root of the custom domain `{domain}`. */
  readonly root: string
  /** The texts of a page that its owner does not write. */
  readonly page: PageWords
  /** With `{url}`. */
  readonly resetMail: NoticeText
  /** With `{name}` (of the inviting user), `{workspace}` and `{url}`. */
  readonly invitationMail: NoticeText
  readonly reset: Readonly<
    Record<
      | 'title'
      | 'lead'
      | 'requestLink'
      | 'newPassword'
      | 'confirmPassword'
      | 'keepKeys'
      | 'keepKeysHint'
      | 'action',
      string
    >
  >
  readonly invitation: Readonly<
    Record<
      | 'title'
      | 'wait'
      | 'invalid'
      | 'invalidHint'
      | 'dashboard'
      | 'join'
      | 'viewer'
      | 'editor'
      | 'admin'
      | 'owner'
      | 'member'
      | 'otherAccount'
      | 'accept'
      | 'useOther'
      | 'firstName'
      | 'email'
      | 'password'
      | 'action'
      | 'haveAccount'
      | 'signIn',
      string
    >
  >
  readonly passwordRules: Readonly<
    Record<'label' | 'length' | 'lower' | 'upper' | 'digit' | 'symbol', string>
  >
  readonly noThirdParties: string
}

/** English, which all other languages translate. */
export const en: VisitorTexts = {
  notFound: {
    title: 'This link does not exist',
    says: [
      'It may be mistyped or incomplete. Please check the address.',
      'Short links are case-sensitive: /Menu and /menu are two different links.',
    ],
  },
  notYet: {
    title: 'This link is not active yet',
    says: ['Its owner has scheduled it to start later. Please try again then.'],
  },
  ended: {
    title: 'This link has ended',
    says: [
      'It has expired, reached its click limit, or was removed by its owner.',
      'Ask the person who sent it to you for a new one.',
    ],
  },
  blocked: {
    title: 'This link is blocked',
    says: [
      'The operator of this service has blocked this link, because it was reported as harmful or breaks the rules.',
      'If you think that this is a mistake, write to {contact}.',
    ],
  },
  unavailable: {
    title: 'Back in a moment',
    says: ['This link cannot be opened right now. Please try again in a few seconds.'],
  },
  wrongMethod: { title: 'This link can only be opened', says: ['Nothing can be sent to this address.'] },
  password: {
    title: 'This link needs a password',
    says: ['The owner has protected this link. Enter the password to continue.'],
  },
  passwordLabel: 'Password',
  passwordWrong: 'Wrong password. Please try again.',
  wait: {
    title: 'Please wait',
    says: ['There were too many attempts from your network. Please wait a little and try again.'],
  },
  limited: {
    title: 'This link has a click limit',
    says: ['This link works a limited number of times, so it is not opened for a preview.'],
  },
  preview: { title: 'Link preview', says: ['This short link redirects to:'] },
  previewProtected: 'The owner has protected this link. Its destination is shown after the password.',
  destination: 'Destination',
  iosDestination: 'On iPhone and iPad',
  androidDestination: 'On Android',
  next: 'Continue',
  reportLabel: 'Is something wrong with this link?',
  reportHint: 'What is wrong with it?',
  report: 'Report this link',
  reported: {
    title: 'Link reported',
    says: ['Your report was sent to the operator of this service. Thank you.'],
  },
  root: '{domain} serves short links and pages. Please open the complete address that you were given.',
  page: englishWords,
  resetMail: {
    title: 'Set a new password for Waymark',
    says: [
      'A new password was requested for your Waymark account.',
      'Set it here within one hour:\n{url}',
      'If you did not request this, ignore this mail: nothing has changed.',
    ],
  },
  invitationMail: {
    title: 'Join {workspace} on Waymark',
    says: [
      '{name} invited you to the workspace {workspace} on Waymark.',
      'Accept the invitation within 7 days:\n{url}',
      'If you do not know who this is, ignore this mail.',
    ],
  },
  reset: {
    title: 'Choose a new password',
    lead: 'This signs out all sessions, revokes all API keys and disables all webhooks.',
    requestLink: 'Request a new link',
    newPassword: 'New password',
    confirmPassword: 'Confirm password',
    keepKeys: 'Keep API keys and webhooks',
    keepKeysHint: 'Only if you are sure that no one else has used your account.',
    action: 'Set password',
  },
  invitation: {
    title: 'Invitation',
    wait: 'One moment…',
    invalid: 'This invitation does not work',
    invalidHint:
      'An invitation works once, within 7 days, and can be withdrawn. The person who invited you can create a new one under Settings, Members.',
    dashboard: 'Go to the dashboard',
    join: 'Join {workspace}',
    viewer: '{name} invited you as viewer. You will be able to see its links, codes, pages and statistics.',
    editor: '{name} invited you as editor. You will be able to create and edit links, codes and pages.',
    admin:
      '{name} invited you as admin. You will be able to manage links, codes, pages, members and API keys.',
    owner: '{name} invited you as owner. You will be able to manage everything, including plan and invoices.',
    member: 'A member',
    otherAccount:
      'The invitation was sent to {invited}, and you are signed in as {email}. If you accept, {email} becomes the member.',
    accept: 'Accept as {email}',
    useOther: 'Use another account',
    firstName: 'First name (optional)',
    email: 'Email',
    password: 'Password',
    action: 'Create account and join',
    haveAccount: 'Have an account on {host}?',
    signIn: 'Sign in to accept',
  },
  passwordRules: {
    label: 'Password requirements',
    length: 'at least 8 characters',
    lower: 'lowercase letter',
    upper: 'uppercase letter',
    digit: 'number',
    symbol: 'symbol',
  },
  noThirdParties: 'Self-hosted. This page sends no requests to third parties.',
}
