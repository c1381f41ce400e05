import { createHash } from 'node:crypto'
import { escapeHtml, FONT_PATH } from '@waymark/page'
import type { Data } from '@waymark/contract/schemas'
import { MARK, readableOn } from '../../visitors/site.ts'
import { PERIODS, type SharedReport } from './shared-statistics.service.ts'

type BrandKit = Pick<Data<'brandKit'>, 'color' | 'accent' | 'background' | 'logo'>

/** A document, and the content security policy that allows its style. */
export interface SharedPage {
  readonly html: string
  readonly csp: string
}

const STYLE = `
@font-face{font-family:Overpass;font-weight:100 900;font-display:optional;src:url(${FONT_PATH}/overpass-latin.woff2) format("woff2");unicode-range:U+0000-00B6,U+00B8-00FF,U+2000-206F,U+2212}
:root{color-scheme:light dark;--ground:#f4f5f1;--card:#fff;--ink:#16201b;--soft:#536059;--line:#dde0d9;--edge:#8b958e;--mark:#0b5d4a;--on:#fff;--head:var(--card);--headink:var(--ink);--up:#0a6b3d;--down:#a3261e}
@media(prefers-color-scheme:dark){:root{--ground:#0d1311;--card:#141c19;--ink:#e9efeb;--soft:#a6b3ac;--line:#26312c;--edge:#6d7b74;--mark:#2f8f72;--up:#63d49a;--down:#ff938a}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.5 Overpass,system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
.band{border-top:6px solid var(--mark);border-bottom:1px solid var(--line);background:var(--head);color:var(--headink)}
.band>div,main,footer{max-width:64rem;margin:0 auto;padding:0 16px}
.band>div{display:flex;align-items:center;gap:12px;min-height:64px;font-weight:700}
.band svg{display:block;width:32px;height:32px}.band img{display:block;max-width:200px;max-height:44px}
main{padding-top:28px;padding-bottom:28px}
h1{margin:0;text-align:left;font-size:1.5rem;line-height:1.25;letter-spacing:-.02em;overflow-wrap:anywhere;text-wrap:balance}
.at{margin:4px 0 0;color:var(--soft);overflow-wrap:anywhere}
nav{display:flex;flex-wrap:wrap;gap:8px;margin:20px 0}
nav a{display:inline-flex;align-items:center;min-height:44px;padding:0 16px;border:1px solid var(--edge);border-radius:22px;color:inherit;font-weight:650;text-decoration:none}
nav a[aria-current]{background:var(--mark);border-color:var(--mark);color:var(--on)}
:focus-visible{outline:3px solid var(--mark);outline-offset:2px}
.card{background:var(--card);border:1px solid var(--line);border-radius:14px;padding:20px}
.grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,19rem),1fr));gap:16px;margin-top:16px}
dl{display:flex;flex-wrap:wrap;gap:12px 40px;margin:0 0 16px}
dt{color:var(--soft);font-size:.875rem;font-weight:600}dd{margin:0;font-size:1.75rem;font-weight:700;font-variant-numeric:tabular-nums}
dd small{margin-left:8px;font-size:.875rem}.up{color:var(--up)}.down{color:var(--down)}.same{color:var(--soft)}
.chart{display:block;width:100%;height:200px}.chart rect,.bar{fill:var(--mark)}.chart rect{stroke:var(--edge);stroke-width:.5;vector-effect:non-scaling-stroke}
.now{fill-opacity:.45}
.ends{display:flex;justify-content:space-between;margin:6px 0 0;color:var(--soft);font-size:.8125rem}
h2{margin:0 0 12px;font-size:1rem}
ol{list-style:none;margin:0;padding:0}li{margin-bottom:10px}
li span{display:flex;justify-content:space-between;gap:12px;font-size:.9375rem}li b{font-variant-numeric:tabular-nums}li i{font-style:normal;min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.rail{display:block;width:100%;height:6px;border-radius:3px;background:var(--line)}
p{margin:0;color:var(--soft)}
footer{padding-bottom:32px;color:var(--soft);font-size:.8125rem}footer p{color:inherit}
`

/** Uses the brand's colour on bars and buttons, and its background behind the logo. */
const styleOf = ({ color, background }: Pick<BrandKit, 'color' | 'background'>): string =>
  [
    STYLE,
    color === null ? '' : `:root{--mark:${color};--on:${readableOn(color)}}`,
    background === null ? '' : `:root{--head:${background};--headink:${readableOn(background)}}`,
  ].join('')

/** No scripts and no external resources. */
function document(title: string, body: string, kit: BrandKit, origin = ''): SharedPage {
  const style = styleOf(kit)
  const hash = createHash('sha256').update(style).digest('base64')
  const logo = kit.logo === null ? undefined : kit.logo.replace(origin, '')
  const head = logo === undefined ? `${MARK}Waymark` : `<img src="${escapeHtml(logo)}" alt="">`
  return {
    csp: `default-src 'none'; style-src 'sha256-${hash}'; img-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body><header class="band"><div>${head}</div></header><main>${body}</main>
<footer><p>Statistics shared with Waymark</p></footer></body>
</html>
`,
  }
}

const NO_BRAND: BrandKit = { color: null, accent: null, background: null, logo: null }

/** A page that says in one sentence why there are no figures. */
export const sharedNotice = (title: string, sentence: string): SharedPage =>
  document(title, `<h1>${title}</h1><p class="at">${escapeHtml(sentence)}</p>`, NO_BRAND)

export const MISSING = sharedNotice(
  'Statistics not found',
  'These statistics are no longer shared; ask the person who sent you this address for a new one.',
)

const number = new Intl.NumberFormat('en')
const countries = new Intl.DisplayNames('en', { type: 'region' })
const day = new Intl.DateTimeFormat('en', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})
const month = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })

const titles = {
  source: 'Opened by',
  button: 'Buttons',
  country: 'Countries',
  referrer: 'Referrers',
  device: 'Devices',
  browser: 'Browsers',
  system: 'Operating systems',
} as const

type By = keyof typeof titles

const unknown: Partial<Record<By, string>> = { referrer: 'Direct', country: 'Unknown' }
const sources: Readonly<Record<string, string>> = { qr: 'QR code or barcode', link: 'Link' }

const nameOf = (by: By, { value, label }: SharedReport['parts'][number]['rows'][number]): string => {
  if (by === 'button') return label ?? 'Removed button'
  if (value === '') return unknown[by] ?? 'Other'
  if (value === '(other)') return 'All others'
  if (by === 'source') return sources[value] ?? value
  if (by === 'country') return /^[A-Z]{2}$/.test(value) ? (countries.of(value) ?? value) : value
  return by === 'device' ? value.charAt(0).toUpperCase() + value.slice(1) : value
}

function change(now: number, before: number): string {
  if (before === 0 || now === before) return ''
  const percent = Math.round(((now - before) / before) * 100)
  if (percent === 0) return '<small class="same">0%</small>'
  return `<small class="${percent > 0 ? 'up' : 'down'}">${percent > 0 ? '+' : '−'}${number.format(Math.abs(percent))}%</small>`
}

function chart({ figures, type }: SharedReport): string {
  const { series, interval } = figures
  const format = interval === 'month' ? month : day
  const most = Math.max(1, ...series.map(({ clicks }) => clicks))
  const noun = type === 'page' ? 'views' : 'clicks'
  const bars = series.map(({ at, clicks }, place) => {
    const height = (clicks / most) * 100
    // The last day or month is not over.
    const [mark, soFar] = place === series.length - 1 ? [' class="now"', ', so far'] : ['', '']
    return `<rect${mark} x="${place + 0.1}" y="${100 - height}" width=".8" height="${height}"><title>${format.format(new Date(at))}: ${number.format(clicks)} ${noun}${soFar}</title></rect>`
  })
  const [first, last] = [series[0], series.at(-1)].map((point) =>
    point === undefined ? '' : format.format(new Date(point.at)),
  )
  return `<svg class="chart" role="img" aria-label="${type === 'page' ? 'Views' : 'Clicks'} over time, at most ${number.format(most)}" viewBox="0 0 ${Math.max(1, series.length)} 100" preserveAspectRatio="none">${bars.join('')}</svg><p class="ends"><span>${first}</span><span>${last}</span></p>`
}

const SHOWN = 8

function card(by: By, rows: SharedReport['parts'][number]['rows']): string {
  const shown = rows.filter(({ clicks }) => clicks > 0).slice(0, SHOWN)
  if (shown.length === 0) return ''
  const most = Math.max(1, ...shown.map(({ clicks }) => clicks))
  const items = shown.map(
    (row) =>
      `<li><span><i dir="auto">${escapeHtml(nameOf(by, row))}</i><b>${number.format(row.clicks)}</b></span><svg class="rail" aria-hidden="true" viewBox="0 0 100 6" preserveAspectRatio="none"><rect class="bar" width="${(row.clicks / most) * 100}" height="6"/></svg></li>`,
  )
  return `<section class="card"><h2>${titles[by]}</h2><ol>${items.join('')}</ol></section>`
}

const periodNames: Record<SharedReport['period'], string> = {
  7: '7 days',
  30: '30 days',
  90: '90 days',
  365: '12 months',
}

/** The shared statistics of a link or page as one HTML document. `origin`: the address of the server. */
export function sharedPage(report: SharedReport, kit: BrandKit, origin: string): SharedPage {
  const { type, name, url, period, figures, parts } = report
  const { totals, previous } = figures
  const tabs = PERIODS.map(
    (days) =>
      `<a href="?days=${days}"${days === period ? ' aria-current="page"' : ''}>${periodNames[days]}</a>`,
  )
  const tile = (label: string, key: 'clicks' | 'uniques'): string =>
    `<div><dt>${label}</dt><dd>${number.format(totals[key])}${change(totals[key], previous?.totals[key] ?? 0)}</dd></div>`
  const body = `<h1 dir="auto">${escapeHtml(name)}</h1><p class="at">${escapeHtml(url.replace(/^https?:\/\//, ''))}</p>
<nav aria-label="Period">${tabs.join('')}</nav>
<section class="card" aria-label="Totals"><dl>${tile(type === 'page' ? 'Views' : 'Clicks', 'clicks')}${tile('Visitors', 'uniques')}</dl>
${totals.clicks === 0 ? `<p>No ${type === 'page' ? 'views' : 'clicks'} in this period</p>` : chart(report)}</section>
<div class="grid">${parts.map(({ by, rows }) => card(by, rows)).join('')}</div>
<p class="ends">Without bots. Days are in UTC. Updated every minute.</p>`
  return document(`${name}: statistics`, body, kit, origin)
}
