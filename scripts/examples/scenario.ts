import { generateSync } from 'otplib'
import { type OpenIdProvider, visitProvider } from '../services/openid-provider.ts'
import { SoftwarePasskey } from '../services/software-passkey.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { png } from '../../e2e/support/pictures.ts'
import type { Recorder } from './recorder.ts'

/* The life of an account: calls every operation once, with realistic input. */

export interface Surroundings {
  /** Address of the server on this machine, for visits. */
  readonly url: string
  readonly receiverUrl: string
  readonly mails: readonly string[]
  readonly provider: OpenIdProvider
  readonly cli: (...words: string[]) => Promise<{ stdout: string }>
}

const EMAIL = 'ada@example.com'
const PASSWORD = 'Correct-horse-7'
const NEW_PASSWORD = 'Battery-staple-8'

const picture = (name: string, red: number): File =>
  new File([new Uint8Array(png(red, 93, 74, 64))], name, { type: 'image/png' })

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

const until = async (holds: () => Promise<boolean> | boolean): Promise<void> => {
  for (let tries = 0; tries < 600; tries++) {
    if (await holds()) return
    await sleep(100)
  }
  throw new Error('What was waited for did not happen within a minute')
}

/** The token of the newest mail that has one. */
const tokenIn = (mails: readonly string[], path = ''): string => {
  const text = mails
    .join('\n')
    .replaceAll(/=\r?\n/g, '')
    .replaceAll('=3D', '=')
  return [...text.matchAll(new RegExp(`${path}\\?token=([A-Za-z0-9_.-]+)`, 'g'))].at(-1)?.[1] ?? ''
}

async function account(recorder: Recorder, { mails }: Surroundings): Promise<void> {
  await recorder.record('healthcheck')
  await recorder.record('instance')
  await recorder.record('signUp', {
    email: EMAIL,
    password: PASSWORD,
    first_name: 'Ada',
    last_name: 'Lovelace',
  })
  await until(() => mails.length === 1)
  await recorder.record('emailStatus')
  await recorder.record('resendConfirmation')
  await until(() => mails.length === 2)
  await recorder.record('confirmEmail', { token: tokenIn(mails) })
  await recorder.record('signIn', { email: EMAIL, password: PASSWORD })
  const key = await recorder.record('generateKey', { name: 'Website' })
  recorder.useKey(key.api_key, key.secret)
  await recorder.record('keys')
  await recorder.record('sessions')
  await recorder.record('securityEvents')
  await recorder.record('updatePersonalInfo', {
    first_name: 'Ada',
    last_name: 'Lovelace',
    phone: '+44 20 7946 0000',
    address: '12 St James’s Square, London',
    image: picture('portrait.png', 30),
  })
  await recorder.record('profile')
  await recorder.record('editBrandKit', {
    color: '#0b5d4a',
    accent: '#ffc52e',
    logo: picture('logo.png', 11),
  })
  await recorder.record('brandKit')
  await recorder.record('currentPlan')
  await recorder.record('invoices', { limit: 10 })
  await recorder.record('downloadInvoice')
  await recorder.record('addFeedback', {
    feedback: 'The QR studio is a joy.',
    image: picture('screen.png', 60),
  })
}

async function links(recorder: Recorder, { url }: Surroundings): Promise<void> {
  const link = await recorder.record('generateLink', {
    link: 'https://example.com/spring-sale',
    customLink: 'spring',
    title: 'Spring sale',
    tags: ['newsletter', 'spring'],
    expire: '2035-06-30',
  })
  await recorder.record('editLinks', {
    uuid: link.uuid,
    link: 'https://example.com/spring-sale?from=mail',
    rules: [{ if: { country: ['DE', 'AT'], language: ['de'] }, to: 'https://example.com/de/spring-sale' }],
  })
  await recorder.record('generateLinks', {
    links: [
      { link: 'https://example.com/summer', customLink: 'summer', tag: 'newsletter' },
      { link: 'https://example.com/autumn', customLink: 'autumn' },
    ],
  })
  const visitor = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
  const referer = 'https://news.example/today'
  const visit = (code: string) =>
    fetch(`${url}/${code}`, { headers: { ...visitor, referer }, redirect: 'manual' })
  for (let count = 0; count < 3; count++) await visit('spring')
  await until(async () => (await recorder.call('links', { uuid: link.uuid }))[0].clicks === 3)
  await recorder.record('links', { tag: 'newsletter', limit: 1 })
  await recorder.record('tags')
  await recorder.record('shortCode', { code: 'spring' })
  await recorder.record('analytics', { uuid: link.uuid, interval: 'day', by: 'referrer', from: daysAgo(2) })
  await recorder.record('exportClicks', { uuid: link.uuid, from: daysAgo(2) })
  await recorder.record('shareStatistics', { uuid: link.uuid, expires_at: '2035-06-30' })
  await recorder.record('sharedStatistics')
  await recorder.record('unshareStatistics', { uuid: link.uuid })
  await recorder.record('simulateLink', { uuid: link.uuid, country: 'DE', language: 'de', device: 'mobile' })
  const [, first] = await recorder.record('linkHistory', { uuid: link.uuid })
  await recorder.record('revertLink', { uuid: link.uuid, version: first.version })
  await recorder.record('exportLinks', { tag: 'newsletter' })
  const bulk = await recorder.record('bulkEditLinks', { uuids: [link.uuid], change: { add_tags: ['sale'] } })
  await recorder.record('bulkEdits', { limit: 10 })
  await recorder.record('undoBulkEdit', { uuid: bulk.uuid })
  await recorder.recordStream('live', {}, () => visit('summer'))
}

async function codes(recorder: Recorder): Promise<void> {
  const barcode = await recorder.record('generateBarcode', {
    url: 'https://example.com/box',
    text: 'Box 42',
    size: 120,
  })
  await recorder.record('editBarcode', { uuid: barcode.uuid, text: 'Box 43' })
  await recorder.record('barcodes', { limit: 10 })
  const code = await recorder.record('generateQr', {
    url: 'https://example.com/menu',
    pattern: 'dots',
    color: '#0b5d4a',
    dynamic: true,
    logo: picture('logo.png', 11),
  })
  await recorder.record('editQr', { uuid: code.uuid, url: 'https://example.com/menu/winter', size: 400 })
  await recorder.record('qrcodes', { limit: 10 })
  await recorder.record('generateCodes', {
    qrcodes: [{ url: 'https://example.com/table/1', pattern: 'squares', description: 'Table 1' }],
    barcodes: [{ value: '4006381333931', symbology: 'ean13' }],
  })
  await recorder.record('exportCodes', { format: 'svg' })
  await recorder.record('printCode', { uuid: code.uuid, format: 'pdf', width_mm: 40 })
  const campaign = {
    url: 'https://example.com/shop',
    source: 'newsletter',
    medium: 'email',
    campaign: 'spring',
    content: 'button',
  }
  const utm = await recorder.record('generateUtm', campaign)
  await recorder.record('editUtm', { uuid: utm.uuid, ...campaign, content: 'footer' })
  await recorder.record('utmLinks', { search: 'spring' })
  await recorder.record('removeUtm', { uuid: utm.uuid })
  await recorder.record('removeBarcode', { uuid: barcode.uuid })
  await recorder.record('removeQr', { uuid: code.uuid })
}

async function pages(recorder: Recorder): Promise<void> {
  const page = await recorder.record('generatePage', {
    title: 'Studio Nordlys',
    slug: 'nordlys',
    subtext: 'Prints and paintings from the north.',
    logoPosition: 'top-center',
    logo: picture('logo.png', 11),
    images: [{ src: 'https://example.com/studio.jpg', title: 'The studio' }],
    buttons: [
      { label: 'The new prints', url: 'https://example.com/prints' },
      { label: 'Write to us', url: 'mailto:hello@example.com' },
    ],
    socialIcons: [{ name: 'instagram', link: 'https://example.com/instagram' }],
  })
  await recorder.record('editPage', {
    uuid: page.uuid,
    title: 'Studio Nordlys',
    logoPosition: 'top-center',
    buttons: [{ label: 'Open on Saturdays', url: 'https://example.com/visit' }],
    theme: { bgColor: '#0b5d4a', textColor: '#ffffff' },
  })
  await recorder.record('pages', { limit: 10 })
  await recorder.record('removePage', { uuid: page.uuid })
  await recorder.record('trash', { type: 'page' })
  await recorder.record('restore', { uuids: [page.uuid] })
  await recorder.call('removePage', { uuid: page.uuid })
  await recorder.record('erase', { uuids: [page.uuid] })
}

async function imports(recorder: Recorder): Promise<void> {
  const csv = 'link,customLink,tag\nhttps://example.com/winter,winter,imported\n'
  const file = new File([csv], 'links.csv', { type: 'text/csv' })
  await recorder.record('importLinks', { file, preview: true })
  const [preview] = await recorder.call('imports')
  await recorder.record('runImport', { uuid: preview.uuid, on_taken: 'rename' })
  await until(async () => (await recorder.call('imports', { uuid: preview.uuid }))[0].state !== 'running')
  await recorder.record('imports', { uuid: preview.uuid })
  await recorder.record('undoImport', { uuid: preview.uuid })
  await recorder.record('takeout')
}

async function domains(recorder: Recorder, { cli }: Surroundings): Promise<void> {
  await recorder.record('addDomain', { name: 'links.example.org' })
  await recorder.record('checkDomain', { name: 'links.example.org' })
  await cli('domain', 'add', 'go.example.org', '--email', EMAIL)
  await recorder.record('verifyDomain', { name: 'go.example.org' })
  await recorder.record('editDomain', {
    name: 'go.example.org',
    root_url: 'https://example.org/',
    brand_name: 'Example',
    brand_color: '#0b5d4a',
    logo: picture('logo.png', 11),
  })
  await recorder.record('domains')
  await recorder.record('removeDomain', { name: 'links.example.org' })
}

async function webhooks(recorder: Recorder, { receiverUrl }: Surroundings): Promise<void> {
  const webhook = await recorder.record('addWebhook', {
    url: receiverUrl,
    events: ['link.created', 'link.edited'],
    description: 'Search index',
  })
  await recorder.record('webhooks')
  await recorder.record('testWebhook', { uuid: webhook.uuid })
  await recorder.record('rotateWebhookSecret', { uuid: webhook.uuid })
  // A new webhook receives changes from one second after it was added.
  await sleep(1_100)
  await recorder.call('generateLink', { link: 'https://example.com/heard', customLink: 'heard' })
  await until(async () => {
    const deliveries = await recorder.call('webhookDeliveries', { uuid: webhook.uuid, limit: 1 })
    return deliveries[0]?.state === 'delivered'
  })
  const [delivery] = await recorder.record('webhookDeliveries', { uuid: webhook.uuid, limit: 1 })
  await recorder.record('redeliverWebhook', { uuid: webhook.uuid, delivery: delivery.uuid })
  await recorder.record('editWebhook', { uuid: webhook.uuid, enabled: false })
  await recorder.record('removeWebhook', { uuid: webhook.uuid })
}

async function farewell(recorder: Recorder, surroundings: Surroundings): Promise<void> {
  const { mails } = surroundings
  const [link] = await recorder.call('links', { search: 'autumn' })
  await recorder.record('removeLinks', { uuid: link.uuid })
  await recorder.record('updatePassword', {
    old_password: PASSWORD,
    password: NEW_PASSWORD,
    confirm_password: NEW_PASSWORD,
  })
  await recorder.call('signIn', { email: EMAIL, password: NEW_PASSWORD })
  await recorder.record('changeEmail', { email: 'ada.lovelace@example.com', password: NEW_PASSWORD })
  await until(() => tokenIn(mails, 'cancel-email-change') !== '')
  await recorder.record('cancelEmailChange', { token: tokenIn(mails, 'cancel-email-change') })
  await recorder.record('signOut')
  await recorder.record('forgotPassword', { email: EMAIL })
  await until(() => tokenIn(mails, 'reset-password') !== '')
  const token = tokenIn(mails, 'reset-password')
  await recorder.record('checkReset', { token })
  await recorder.record('resetPassword', {
    token,
    password: PASSWORD,
    confirm_password: PASSWORD,
    keep_keys: true,
  })
  await recorder.call('signIn', { email: EMAIL, password: PASSWORD })
  await recorder.call('signIn', { email: EMAIL, password: PASSWORD })
  const sessions = await recorder.call('sessions')
  const other = sessions.find((session: { current: boolean }) => !session.current)
  await recorder.record('removeSession', { uuid: other.uuid })
  await recorder.record('reauthenticate', { password: PASSWORD })
  const { secret } = await recorder.record('setUpTotp')
  await recorder.record('confirmTotp', { code: generateSync({ secret }) })
  await recorder.record('secondFactors')
  const { recovery_codes } = await recorder.record('replaceRecoveryCodes')
  const { challenge } = await recorder.call('signIn', { email: EMAIL, password: PASSWORD })
  await recorder.record('verifySecondFactor', { challenge, code: recovery_codes[0] })
  await recorder.record('removeTotp')
  await recordPasskeys(recorder)
  await recordIdentities(recorder, surroundings)
  const spare = await recorder.call('generateKey', { name: 'Spare' })
  await recorder.record('removeKey', { uuid: spare.uuid })
  await recorder.record('removeAccount', { reason: 'The shop has closed.' })
}

async function recordIdentities(recorder: Recorder, { provider, cli }: Surroundings): Promise<void> {
  provider.accounts.set('ada', { email: EMAIL, email_verified: true })
  const { url } = await recorder.record('setUpIdentity')
  const identity = await recorder.record('addIdentity', { query: await visitProvider(url, 'ada') })
  await recorder.record('identities')
  const proof = await recorder.record('beginOidcProof')
  await recorder.call('reauthenticate', { oidc: await visitProvider(proof.url, 'ada') })
  const begun = await recorder.record('beginOidc')
  await recorder.record('signInWithOidc', { query: await visitProvider(begun.url, 'ada') })
  const { stdout } = await cli('user', 'sign-in-link', '--email', EMAIL)
  await recorder.record('signInWithLink', { token: new URL(stdout.trim()).searchParams.get('token') })
  await recorder.record('removeIdentity', { uuid: identity.uuid })
}

async function recordPasskeys(recorder: Recorder): Promise<void> {
  const { base_url } = await recorder.call('instance')
  const device = new SoftwarePasskey(base_url)
  const { options } = await recorder.record('setUpPasskey')
  const { passkey } = await recorder.record('addPasskey', {
    name: 'Phone',
    passkey: device.create(options),
  })
  await recorder.record('reauthenticationMethods')
  const asked = await recorder.record('passkeySignInOptions')
  await recorder.record('signInWithPasskey', { passkey: device.get(asked.options) })
  await recorder.record('removePasskey', { uuid: passkey.uuid })
}

const COLLEAGUE = 'mary@example.com'

async function workspaces(recorder: Recorder, { mails }: Surroundings): Promise<void> {
  await recorder.record('createWorkspace', { name: 'Spring campaign' })
  const [first] = await recorder.record('workspaces')
  await recorder.record('editWorkspace', { name: 'Analytical Prints' })
  const token = await recorder.record('generateToken', { name: 'n8n', scopes: ['links:write'] })
  await recorder.record('tokens')
  await recorder.record('removeToken', { uuid: token.uuid })
  const invite = async (): Promise<{ uuid: string; token: string }> => {
    const { uuid, invite_url } = await recorder.record('inviteMember', { email: COLLEAGUE, role: 'editor' })
    return { uuid, token: new URL(invite_url).searchParams.get('token') ?? '' }
  }
  const withdrawn = await invite()
  await recorder.record('invitations')
  await recorder.record('checkInvitation', { token: withdrawn.token })
  await recorder.record('removeInvitation', { uuid: withdrawn.uuid })
  const accepted = await invite()
  const before = tokenIn(mails, 'confirm-email')
  await recorder.call('signUp', { email: COLLEAGUE, password: PASSWORD })
  await until(() => tokenIn(mails, 'confirm-email') !== before)
  await recorder.call('confirmEmail', { token: tokenIn(mails, 'confirm-email') })
  await recorder.record('acceptInvitation', { token: accepted.token })
  await recorder.record('leaveWorkspace', { uuid: first.uuid })
  await recorder.call('acceptInvitation', { token: (await invite()).token })
  await recorder.call('signIn', { email: EMAIL, password: PASSWORD })
  const members = await recorder.record('members')
  const { uuid } = members.find((member: { email: string }) => member.email === COLLEAGUE)
  await recorder.record('editMember', { uuid, role: 'admin' })
  await recorder.record('removeMember', { uuid })
  await recorder.record('auditLog', { limit: 3 })
}

/** The remaining invited account: its key removes its own workspace. */
async function lastWorkspace(recorder: Recorder): Promise<void> {
  await recorder.call('signIn', { email: COLLEAGUE, password: PASSWORD })
  const key = await recorder.call('generateKey', { name: 'Last' })
  recorder.useKey(key.api_key, key.secret)
  await recorder.record('removeWorkspace')
}

/** Calls every operation in an order in which each has something to do. */
export async function playScenario(recorder: Recorder, surroundings: Surroundings): Promise<void> {
  for (const part of [
    account,
    links,
    codes,
    pages,
    imports,
    domains,
    webhooks,
    workspaces,
    farewell,
    lastWorkspace,
  ])
    await part(recorder, surroundings)
}
