import type { Item } from '@waymark/sdk'

export type AuditEntry = Item<'auditLog'>

const nouns: Readonly<Record<string, string>> = {
  Link: 'link',
  Links: 'link',
  Qr: 'QR code',
  Barcode: 'barcode',
  Page: 'page',
  Utm: 'UTM link',
  Domain: 'domain',
  Webhook: 'webhook',
  Key: 'API key',
  Token: 'access token',
  Workspace: 'workspace',
  Member: 'member',
  BrandKit: 'brand kit',
}

const verbs: Readonly<Record<string, string>> = {
  generate: 'created',
  create: 'created',
  add: 'added',
  edit: 'changed',
  remove: 'removed',
  verify: 'verified',
  check: 'checked',
  test: 'tested',
}

/** Fields with different names in the API and the dashboard. */
const fieldWords: Readonly<Record<string, string>> = {
  link: 'destination',
  url: 'destination',
  customLink: 'short code',
  expire: 'expiry',
  max_clicks: 'click limit',
  ios_url: 'iOS destination',
  android_url: 'Android destination',
  tag: 'tags',
  require_second_factor: 'two-step sign-in',
}

/** Texts that cannot be derived from the name of the operation; `{}` is replaced by the resources. */
const phrases: Readonly<Record<string, string>> = {
  generateLinks: 'created {}',
  bulkEditLinks: 'changed several links: {}',
  undoBulkEdit: 'undid a change of several links',
  importLinks: 'started an import of links',
  runImport: 'ran an import of links',
  undoImport: 'undid an import of links',
  revertLink: 'restored an earlier version of {}',
  restore: 'restored {} from the trash',
  erase: 'erased {} from the trash',
  exportLinks: 'exported links',
  exportClicks: 'exported clicks',
  disableWebhook: 'disabled the webhook {}, because events could not be delivered',
  shareStatistics: 'shared the statistics of {}',
  unshareStatistics: 'stopped sharing the statistics of {}',
  auditLog: 'exported the audit log',
  takeout: 'downloaded the data of the workspace',
  inviteMember: 'invited a new member',
  removeInvitation: 'withdrew an invitation',
  acceptInvitation: 'accepted an invitation',
  joinWorkspace: 'joined by single sign-on',
  confirmTotp: 'set up an authenticator app',
  removeTotp: 'removed their authenticator app',
  addPasskey: 'added a passkey',
  removePasskey: 'removed a passkey',
  replaceRecoveryCodes: 'created new recovery codes',
  changeEmail: 'requested a change of their email address',
  removeSession: 'ended a session',
  'user reset-second-factor': 'removed the second factor of {}',
  'user link-oidc': 'linked a sign-in identity',
  'user sign-in-link': 'created a sign-in link for {}',
  addIdentity: 'linked a sign-in identity',
  removeIdentity: 'unlinked a sign-in identity',
  leaveWorkspace: 'left the workspace',
  removeMember: 'removed the member {}',
  rotateWebhookSecret: 'rotated the signing secret of {}',
  redeliverWebhook: 'sent an event to {} again',
  updatePersonalInfo: 'changed their profile',
  updatePassword: 'changed their password',
  resetPassword: 'reset their password',
  removeAccount: 'deleted their account',
  addFeedback: 'sent feedback',
}

/** With its article. */
const aOf = (noun: string): string => `${/^a/i.test(noun) ? 'an' : 'a'} ${noun}`

const listed = new Intl.ListFormat('en')

const fieldsOf = (entry: AuditEntry): string =>
  listed.format([...new Set(entry.fields.map((field) => fieldWords[field] ?? field.replaceAll('_', ' ')))])

/** The names of the changed resources, and how many more there are. */
const namesOf = ({ resources, resource_count }: AuditEntry, noun: string): string => {
  const names = resources.slice(0, 3).map(({ name }) => name ?? `a removed ${noun}`)
  const more = resource_count - names.length
  return listed.format(more > 0 ? [...names, `${more} more`] : names)
}

const roleIn = ({ details }: AuditEntry): string | undefined =>
  typeof details?.['role'] === 'string' ? details['role'] : undefined

/** The change: "changed the destination of /spring". */
export const deedOf = (entry: AuditEntry): string => {
  const { operation } = entry
  const verb = /^[a-z]*/.exec(operation)?.[0] ?? ''
  const subject = operation.slice(verb.length)
  const noun = nouns[subject] ?? subject.replaceAll(/(?<=[a-z])[A-Z]/g, ' $&').toLowerCase()
  const names = namesOf(entry, noun === '' ? 'resource' : noun)
  const role = roleIn(entry)
  if (operation === 'editMember' && role !== undefined) return `changed the role of ${names} to ${role}`
  if (operation === 'inviteMember' && role !== undefined)
    return `invited ${entry.resources[0]?.name ?? 'someone'} as ${role}`
  // Those of a filter are not named.
  if (operation === 'bulkEditLinks' && entry.resources.every(({ name }) => name === null))
    return 'changed several links'
  const phrase = phrases[operation]
  if (phrase !== undefined) return phrase.replace('{}', names === '' ? 'something' : names)
  const done = verbs[verb]
  // A command of the command line, or an operation that this version of the dashboard does not know.
  if (done === undefined || noun === '') return `ran ${operation}${names === '' ? '' : ` on ${names}`}`
  if (verb === 'edit') {
    const fields = fieldsOf(entry)
    return `changed ${fields === '' ? '' : `the ${fields} of `}${names === '' ? `the ${noun}` : names}`
  }
  if (entry.resource_count === 1 && entry.resources[0]?.name === null)
    return `${done} ${aOf(noun)}${verb === 'remove' ? '' : ', which was removed later'}`
  return `${done} the ${noun}${names === '' ? '' : ` ${names}`}`
}

/** The actor: "Ada", "Ada, with the API key Shop,". */
export const actorOf = ({ actor, user, credential }: AuditEntry): string => {
  if (actor === 'command_line') return 'The command line'
  if (actor === 'system') return 'The server'
  const name = user === null ? 'Someone' : (user.name ?? 'A removed user')
  if (actor === 'user') return name
  const noun = actor === 'key' ? 'API key' : 'access token'
  return `${name}, with the ${noun} ${credential?.name ?? 'without a name'},`
}

/** Requests that were rejected, which are counted by the hour. */
export const rejectionOf = ({ rejected, operation }: AuditEntry): string =>
  `was not allowed to call ${operation}${rejected === 1 ? '' : `, ${rejected} times within an hour`}`
