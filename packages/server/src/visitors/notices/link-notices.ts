import { escapeHtml } from '@waymark/page'
import { documentHeaders, renderDocument } from './document.ts'
import type { Brand, Document } from './document.ts'
import type { Redirect, Target } from '../links/decide.ts'
import type { Notice } from './notices.ts'

const NOT_OPENED_TO_LOOK = 'This link works a limited number of times, so it is not opened for a preview.'

function page(
  status: number,
  document: Document,
  brand: Brand | undefined,
  headers: readonly string[] = [],
): Notice {
  const body = Buffer.from(renderDocument(document, brand))
  return { status, headers: [...documentHeaders(body.length, document.form, brand), ...headers], body }
}

/** Asks for a link's password; its destination is not shown before. */
export function passwordPage(wrong: boolean, brand?: Brand): Notice {
  const remark = wrong ? '<p class="wrong" role="alert">Wrong password. Please try again.</p>' : ''
  const body = `<p>The owner has protected this link. Enter the password to continue.</p>${remark}
<form method="post"><label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="off" maxlength="256" required autofocus>
<button>Continue</button></form>`
  return page(
    wrong ? 403 : 200,
    { title: 'This link needs a password', sign: 'lock', body, form: true },
    brand,
  )
}

export function tooManyTriesPage(retryAfterS: number, brand?: Brand): Notice {
  const body = '<p>There were too many attempts from your network. Please wait a little and try again.</p>'
  return page(429, { title: 'Please wait', sign: 'wait', body }, brand, ['retry-after', String(retryAfterS)])
}

/** For whatever only looks at a link that works a number of times: the same page whatever the link. */
export function limitedPage(brand?: Brand): Notice {
  const body = `<p>${NOT_OPENED_TO_LOOK}</p>`
  return page(200, { title: 'This link has a click limit', sign: 'lock', body }, brand)
}

/** Where a link sends this visitor, without going there. */
export function previewPage(
  code: string,
  { target, url }: Redirect,
  takesReports: boolean,
  brand?: Brand,
): Notice {
  const hidden = hiddenBecause(target)
  const says =
    hidden === null
      ? `<p>This short link redirects to:</p><dl>${destinations(target, url)}</dl>${continueButton(code)}`
      : `<p>${hidden}</p>${continueButton(code)}`
  const body = takesReports ? says + reportForm(code) : says
  return page(200, { title: 'Link preview', sign: 'eye', body, form: takesReports }, brand)
}

/** After a visitor has reported a link. */
export function reportedPage(brand?: Brand): Notice {
  const body = '<p>Your report was sent to the operator of this service. Thank you.</p>'
  return page(200, { title: 'Link reported', sign: 'done', body }, brand)
}

/** A destination that is only for some must not be read here by all. */
function hiddenBecause({ extras }: Target): string | null {
  if (extras === null) return null
  if (extras.passwordHash !== null)
    return 'The owner has protected this link. Its destination is shown after the password.'
  if (extras.maxClicks !== null) return NOT_OPENED_TO_LOOK
  return null
}

const LONG_URL = 200

/** A URL that may be long enough to scroll can be scrolled with the keyboard. */
const focusable = (url: string): string => (url.length > LONG_URL ? ' tabindex="0"' : '')

function destinations({ extras }: Target, url: string): string {
  const routing = extras?.routing ?? null
  const rows: [string, string][] = [['Destination', url]]
  if (routing !== null && routing.iosUrl !== null) rows.push(['On iPhone and iPad', routing.iosUrl])
  if (routing !== null && routing.androidUrl !== null) rows.push(['On Android', routing.androidUrl])
  return rows
    .map(([name, value]) => `<dt>${name}</dt><dd${focusable(value)}>${escapeHtml(value)}</dd>`)
    .join('')
}

function reportForm(code: string): string {
  return `<form method="post" action="/${code}+"><label for="reason">Is something wrong with this link?</label>
<input id="reason" name="reason" maxlength="500" placeholder="What is wrong with it?">
<button class="quiet">Report this link</button></form>`
}

function continueButton(code: string): string {
  return `<a class="go" href="/${code}" rel="nofollow">Continue</a>`
}
