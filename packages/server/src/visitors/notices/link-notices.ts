import { escapeHtml } from '@waymark/page'
import { documentHeaders, renderDocument } from './document.ts'
import type { Brand, Document } from './document.ts'
import type { Redirect, Target } from '../links/decide.ts'
import { type Language, type VisitorTexts, visitorTexts } from '@waymark/page/languages'
import type { Notice } from './notices.ts'

/** Brand and language of a page. */
export interface Look {
  readonly brand: Brand | undefined
  readonly language: Language
}

function page(
  status: number,
  document: Document,
  { brand, language }: Look,
  headers: readonly string[] = [],
): Notice {
  const body = Buffer.from(renderDocument(document, brand, language))
  return { status, headers: [...documentHeaders(body.length, document.form, brand), ...headers], body }
}

const paragraphs = (says: readonly string[]): string => says.map((line) => `<p>${line}</p>`).join('')

/** Asks for a link's password; the destination is not revealed before. */
export function passwordPage(wrong: boolean, look: Look): Notice {
  const { password, passwordLabel, passwordWrong, next } = visitorTexts[look.language]
  const remark = wrong ? `<p class="wrong" role="alert">${passwordWrong}</p>` : ''
  const body = `${paragraphs(password.says)}${remark}
<form method="post"><label for="password">${passwordLabel}</label>
<input id="password" name="password" type="password" autocomplete="off" maxlength="256" required autofocus>
<button>${next}</button></form>`
  return page(wrong ? 403 : 200, { title: password.title, sign: 'lock', body, form: true }, look)
}

export function tooManyTriesPage(retryAfterS: number, look: Look): Notice {
  const { title, says } = visitorTexts[look.language].wait
  const document: Document = { title, sign: 'wait', body: paragraphs(says) }
  return page(429, document, look, ['retry-after', String(retryAfterS)])
}

/** For bots that open a link with a click limit: the same page for every link. */
export function limitedPage(look: Look): Notice {
  const { title, says } = visitorTexts[look.language].limited
  return page(200, { title, sign: 'lock', body: paragraphs(says) }, look)
}

/** Shows the destination for this visitor without redirecting. */
export function previewPage(
  code: string,
  { target, url }: Redirect,
  takesReports: boolean,
  look: Look,
): Notice {
  const texts = visitorTexts[look.language]
  const hidden = hiddenBecause(target, texts)
  const button = `<a class="go" href="/${code}" rel="nofollow">${texts.next}</a>`
  const says =
    hidden === null
      ? `${paragraphs(texts.preview.says)}<dl>${destinations(target, url, texts)}</dl>${button}`
      : `${paragraphs(hidden)}${button}`
  const body = takesReports ? says + reportForm(code, texts) : says
  return page(200, { title: texts.preview.title, sign: 'eye', body, form: takesReports }, look)
}

/** The page after a visitor has reported a link. */
export function reportedPage(look: Look): Notice {
  const { title, says } = visitorTexts[look.language].reported
  return page(200, { title, sign: 'done', body: paragraphs(says) }, look)
}

/** A destination that is only for some visitors must not be shown to all. */
function hiddenBecause({ extras }: Target, texts: VisitorTexts): readonly string[] | null {
  if (extras === null) return null
  if (extras.passwordHash !== null) return [texts.previewProtected]
  return extras.maxClicks === null ? null : texts.limited.says
}

const LONG_URL = 200

/** A URL long enough to scroll must be scrollable with the keyboard. */
const focusable = (url: string): string => (url.length > LONG_URL ? ' tabindex="0"' : '')

function destinations({ extras }: Target, url: string, texts: VisitorTexts): string {
  const routing = extras?.routing ?? null
  const rows: [string, string][] = [[texts.destination, url]]
  if (routing !== null && routing.iosUrl !== null) rows.push([texts.iosDestination, routing.iosUrl])
  if (routing !== null && routing.androidUrl !== null)
    rows.push([texts.androidDestination, routing.androidUrl])
  return rows
    .map(([name, value]) => `<dt>${name}</dt><dd${focusable(value)}>${escapeHtml(value)}</dd>`)
    .join('')
}

function reportForm(code: string, { reportLabel, reportHint, report }: VisitorTexts): string {
  return `<form method="post" action="/${code}+"><label for="reason">${reportLabel}</label>
<input id="reason" name="reason" maxlength="500" placeholder="${escapeHtml(reportHint)}">
<button class="quiet">${report}</button></form>`
}
