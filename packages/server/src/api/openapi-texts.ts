import type { Operation } from '@waymark/contract'

/* What the description of the API says to people. */

export const INTRODUCTION = `Short links, QR codes, barcodes, custom pages and UTM links.

**Signing.** Send your key as \`X-API-KEY\`, the time as \`X-TIMESTAMP\` (Unix seconds or milliseconds) and, as \`X-SIGNATURE\`, the lower-case hex HMAC-SHA256 with your secret over four lines: the timestamp as sent, the method, the path with its query string, and the hex SHA-256 of the body. For multipart bodies the digest is that of \`<field name>\\n<hex SHA-256 of the part>\\n\`, part by part. The response to a wrong signature has \`canonical\`, the text that was expected to be signed. A timestamp in milliseconds makes the signature single-use.

**Responses.** A success is \`{"status":"success","message":…,"data":…}\`; lists add \`meta\` with \`count\`, \`total\` and \`next_cursor\`. An error is \`{"error":…}\`, with \`errors\` by field when fields are wrong.

**Idempotency.** A write takes an \`Idempotency-Key\`: for 24 hours the same key returns the same response, and the write is not done twice.`

/** What each group of operations is about. */
export const TAGS: Readonly<Record<string, string>> = {
  Accounts: 'Plan, invoices, profile, feedback, password, and removing the account.',
  Barcode: 'Barcodes in nine symbologies, as PNG and SVG.',
  'Custom Pages':
    'Landing pages with buttons, pictures and social icons, each with a short link and a QR code.',
  Health: 'Whether the service works.',
  Links: 'Short links and where they send visitors.',
  'QR Code': 'QR codes with colours, shapes and a logo, as PNG and SVG, each decoded before it is returned.',
  'UTM Builder': 'Addresses with campaign parameters.',
  Analytics: 'Clicks, scans and views.',
  'Links (extensions)': 'Tags, many links at once, and CSV files.',
  Trash: 'Removed resources, which can be restored for 30 days.',
  'Accounts (extensions)': 'Profile and invoices.',
  Domains: 'Your own host names for links and pages.',
  Webhooks: 'Signed requests to your server when something changes.',
  Dashboard: 'Sessions, keys and mails: what the dashboard uses beside the rest.',
}

const AUTHENTICATION: Readonly<Record<Operation['auth'], string>> = {
  none: 'No credentials are needed.',
  key: 'Needs the key.',
  signed: 'Needs the key and a signature.',
  session: 'Needs a session of the dashboard.',
}

/** What an operation does, who may call it, and what holds for every operation of its kind. */
export function descriptionOf(operation: Operation): string {
  const { summary, auth, method, repeatable, edits, fails, extension } = operation
  const sentences = [`${summary}.`, AUTHENTICATION[auth]]
  if (repeatable === false)
    sentences.push(
      'The response is not stored for an `Idempotency-Key`: do not repeat a lost request blindly.',
    )
  else if (method === 'POST' && auth !== 'none')
    sentences.push('With an `Idempotency-Key` it can be sent again safely.')
  if (edits !== undefined) sentences.push('Fields that are left out stay as they are.')
  if (fails?.includes(412) === true)
    sentences.push('With `If-Match: "<updated_at>"` a newer version is not overwritten (412).')
  if (extension === true) sentences.push('This is an extension of the published interface.')
  return sentences.join(' ')
}
