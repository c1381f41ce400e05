/** A title and the sentences below it. */
export interface NoticeText {
  readonly title: string
  readonly says: readonly string[]
}

/** Everything that visitors of links are told. A language is one file; a missing text is a type error. */
export interface NoticeTexts {
  /** The second sentence is left out where short codes ignore case. */
  readonly notFound: NoticeText
  readonly notYet: NoticeText
  /** Expired, used up or removed. */
  readonly ended: NoticeText
  /** The second sentence names `{contact}`, where there is one. */
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
}

/** English, which every other language follows. */
export const en: NoticeTexts = {
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
}
