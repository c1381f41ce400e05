import { sites } from '@waymark/contract'
import { escapeHtml } from '@waymark/page'
import { MARK } from '../../visitors/site.ts'
import { GUIDES } from './guides.ts'
import { anchorOf, renderInline, type Section } from './markdown.ts'
import type { ReferencePage } from './reference.ts'

/** The frame of every page. */
export interface Frame {
  readonly operations: readonly ReferencePage[]
  /** Path of the built script. Without it, only searching and trying operations are missing. */
  readonly script: string | undefined
  /** Path of the style sheet. */
  readonly style: string
}

interface Content {
  /** Path of the page. */
  readonly path: string
  readonly title: string
  readonly description: string
  /** HTML of the page below its title. */
  readonly html: string
  /** HTML instead of the plain title. */
  readonly top?: string
  readonly sections: readonly Section[]
  /** Path of the page as Markdown. */
  readonly markdown: string
}

const isHere = (path: string, here: string): string => (path === here ? ' aria-current="page"' : '')

const item = (path: string, label: string, here: string): string =>
  `<li><a href="${path}"${isHere(path, here)}>${label}</a></li>`

/** Operations by tag, in the order of the table. */
const byTag = (operations: readonly ReferencePage[]): [string, ReferencePage[]][] => {
  const tags = new Map<string, ReferencePage[]>()
  for (const page of operations) tags.set(page.tag, [...(tags.get(page.tag) ?? []), page])
  return [...tags]
}

const navigation = ({ operations }: Frame, here: string): string => {
  const guides = Object.entries(GUIDES).map(
    ([group, entries]) =>
      `<h2>${group}</h2><ul>${entries.map(({ name, label }) => item(`${sites.docs}/${name}`, label, here)).join('')}</ul>`,
  )
  const reference = byTag(operations).map(([tag, pages]) => {
    const links = pages.map(({ name, method }) =>
      item(
        `${sites.docs}/reference/${name}`,
        `<span class="verb ${method.toLowerCase()}">${method}</span>${name}`,
        here,
      ),
    )
    const isOpen = pages.some(({ name }) => here === `${sites.docs}/reference/${name}`) ? ' open' : ''
    return `<details${isOpen}><summary>${escapeHtml(tag)}</summary><ul>${links.join('')}</ul></details>`
  })
  return `${guides.join('')}<h2>Operations</h2><ul>${item(`${sites.docs}/reference`, 'All operations', here)}</ul>${reference.join('')}`
}

const contents = (sections: readonly Section[]): string => {
  const entries = sections.filter(({ level }) => level === 2 || level === 3)
  if (entries.length < 2) return ''
  const links = entries.map(
    ({ id, level, title }) => `<li class="l${level}"><a href="#${id}">${escapeHtml(title)}</a></li>`,
  )
  return `<aside><nav aria-label="On this page"><h2>On this page</h2><ul>${links.join('')}</ul></nav></aside>`
}

const SEARCH = `<search class="needs-script" hidden><input id="search" type="search" placeholder="Search the docs" aria-label="Search the docs" autocomplete="off" spellcheck="false" role="combobox" aria-expanded="false" aria-controls="found" aria-autocomplete="list"><kbd>/</kbd><ul id="found" role="listbox" aria-label="Results" hidden></ul></search>`

/** A whole page. */
export function renderLayout(frame: Frame, content: Content): string {
  const { path, title, description, html, sections, markdown } = content
  const top = content.top ?? `<h1>${escapeHtml(title)}</h1>`
  const script =
    frame.script === undefined ? '' : `<script type="module" src="${escapeHtml(frame.script)}"></script>`
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Waymark docs</title><meta name="description" content="${escapeHtml(description)}">
<link rel="alternate" type="text/markdown" href="${markdown}"><link rel="stylesheet" href="${frame.style}">${script}</head>
<body><a class="skip" href="#main">Skip to content</a>
<header><a class="home" href="${sites.docs}">${MARK}<span>Waymark</span><b>docs</b></a>${SEARCH}<a class="app" href="${sites.dashboard}">Dashboard</a></header>
<div class="frame"><details class="menu"><summary>Menu</summary></details><nav class="side" aria-label="Docs">${navigation(frame, path)}</nav>
<main id="main" tabindex="-1">${top}${html}<footer><a href="${markdown}">This page as Markdown</a><a href="${sites.openapi}">OpenAPI</a></footer></main>${contents(sections)}</div></body></html>
`
}

/** The style sheet of the docs, with the dashboard's colours. */
export const docsStyle = `
:root{color-scheme:light dark;--ground:#f4f5f1;--surface:#fff;--sunken:#eceee8;--line:#dde0d9;--strong:#bfc5bb;--ink:#16201b;--muted:#536059;--brand:#0b5d4a;--soft:#dfeee7;--on-brand:#fff;--blaze:#ffc52e;--plate:#ffe596;--on-plate:#33290a;--danger:#b3261e}
@media(prefers-color-scheme:dark){:root{--ground:#0d1311;--surface:#141c19;--sunken:#0a0f0d;--line:#26312c;--strong:#3d4c45;--ink:#e9efeb;--muted:#a6b3ac;--brand:#63d4ae;--soft:#16332a;--on-brand:#05231a;--plate:#40340c;--on-plate:#ffd666;--danger:#ff938a}}
*{box-sizing:border-box}
html{scroll-padding-top:5rem;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif}
a{color:var(--brand);text-underline-offset:3px}
:focus-visible{outline:2px solid var(--brand);outline-offset:2px;border-radius:4px}
main:focus{outline:0}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:1rem;z-index:3;background:var(--surface);padding:.5rem 1rem}
header{position:sticky;top:0;z-index:2;display:flex;align-items:center;gap:1rem;height:3.75rem;padding:0 clamp(1rem,2vw,1.75rem);background:var(--surface);border-bottom:1px solid var(--line)}
.home{display:flex;align-items:center;gap:.6rem;color:var(--ink);text-decoration:none;font-weight:800;font-size:1.125rem;letter-spacing:-.03em}
.home svg{width:1.75rem;height:1.75rem;display:block}
.home b{padding:.1rem .9rem .1rem .5rem;background:var(--plate);color:var(--on-plate);font-size:.75rem;letter-spacing:0;clip-path:polygon(0 0,calc(100% - .5rem) 0,100% 50%,calc(100% - .5rem) 100%,0 100%)}
.app{margin-left:auto;font-size:.875rem;font-weight:600;text-decoration:none}
search{position:relative;flex:0 1 26rem;margin-left:auto}
search+.app{margin-left:0}
search[hidden]+.app{margin-left:auto}
input,select,textarea{font:inherit;font-size:.9375rem;color:inherit;background:var(--surface);border:1px solid var(--strong);border-radius:8px;padding:.4rem .7rem;width:100%}
#search{background:var(--ground)}
search kbd{position:absolute;right:.6rem;top:.55rem;padding:0 .4rem;border:1px solid var(--line);border-radius:4px;font:600 .75rem/1.4 ui-monospace,monospace;color:var(--muted)}
#search:focus+kbd{display:none}
#found{position:absolute;top:calc(100% + .4rem);left:0;right:0;max-height:26rem;overflow:auto;margin:0;padding:.35rem;list-style:none;background:var(--surface);border:1px solid var(--line);border-radius:10px;box-shadow:0 24px 60px -16px #0006}
#found a{display:block;padding:.45rem .6rem;border-radius:6px;color:var(--ink);text-decoration:none}
#found a small{display:block;color:var(--muted)}
#found [aria-selected=true] a,#found a:hover{background:var(--soft)}
#found p{margin:.5rem .6rem;color:var(--muted)}
.frame{display:grid;grid-template-columns:17rem minmax(0,1fr) 13rem;gap:clamp(1.5rem,3vw,3rem);max-width:96rem;margin:0 auto;padding:0 clamp(1rem,2vw,1.75rem)}
.side,aside nav{position:sticky;top:3.75rem;max-height:calc(100vh - 3.75rem);overflow:auto;padding:1.75rem 0;font-size:.875rem}
.side h2,aside h2{margin:1.25rem 0 .35rem;font-size:.75rem;letter-spacing:.02em;color:var(--muted);border:0;padding:0}
.side h2:first-child,aside h2{margin-top:0}
.side ul,aside ul{list-style:none;margin:0;padding:0}
.side li a{display:flex;align-items:baseline;gap:.4rem;padding:.22rem .6rem;border-radius:6px;color:var(--ink);text-decoration:none;overflow-wrap:anywhere}
.side li a:hover{background:var(--sunken)}
.side a[aria-current]{background:var(--soft);font-weight:600}
.side summary{padding:.22rem .6rem;cursor:pointer;border-radius:6px}
.side summary:hover{background:var(--sunken)}
.side details ul{padding-left:.6rem}
aside li{margin:.3rem 0}aside .l3{padding-left:.8rem}
aside a{color:var(--muted);text-decoration:none}aside a:hover{color:var(--brand);text-decoration:underline}
main{padding:2.25rem 0 3rem;min-width:0}
h1{margin:0 0 .75rem;font-size:clamp(1.6rem,4vw,2.125rem);line-height:1.2;letter-spacing:-.02em;text-wrap:balance}
h2{margin:2.75rem 0 .75rem;font-size:1.375rem;letter-spacing:-.015em;line-height:1.3}
h3{margin:2rem 0 .5rem;font-size:1.0625rem}h4{margin:1.5rem 0 .4rem;font-size:.9375rem}
.anchor{color:inherit;text-decoration:none}.anchor:hover{text-decoration:underline;text-decoration-color:var(--strong)}
p,li{max-width:46rem}.lead{font-size:1.125rem;color:var(--muted)}
code,pre,.verb{font-family:ui-monospace,"SF Mono","Cascadia Mono",Menlo,Consolas,monospace;font-variant-ligatures:none}
code{font-size:.875em;overflow-wrap:anywhere}
p code,li code,td code,th code{background:var(--sunken);border-radius:4px;padding:.08em .3em}
pre{margin:1rem 0;padding:1rem 1.1rem;background:var(--surface);border:1px solid var(--line);border-radius:10px;overflow:auto;line-height:1.5}
pre{max-height:32rem}
pre code{font-size:.8125rem;overflow-wrap:normal}
.scroll{overflow-x:auto;margin:1rem 0;border:1px solid var(--line);border-radius:10px;background:var(--surface)}
table{border-collapse:collapse;width:100%;font-size:.875rem}
th,td{text-align:left;vertical-align:top;padding:.55rem .9rem;border-bottom:1px solid var(--line);font-weight:400;min-width:5rem}
thead th{font-weight:600;color:var(--muted);background:var(--ground)}
tbody tr:last-child>*{border-bottom:0}
th strong{display:block;font-size:.75rem;color:var(--danger);font-weight:600}
.verb{display:inline-block;min-width:2.6rem;font-size:.6875rem;font-weight:700;color:var(--brand)}.verb.post{color:var(--warn,#7d5200)}
@media(prefers-color-scheme:dark){.verb.post{color:#f0c063}}
.tag{margin:0;font-size:.8125rem;font-weight:600;color:var(--muted)}
.plate{display:inline-flex;align-items:center;gap:.4rem;max-width:100%;margin:.25rem 0 .5rem;padding:.45rem 1.9rem .45rem .9rem;background:var(--plate);color:var(--on-plate);clip-path:polygon(0 0,calc(100% - 1rem) 0,100% 50%,calc(100% - 1rem) 100%,0 100%)}
.plate code,.plate .verb{background:none;color:inherit;font-size:.9375rem;padding:0}.plate .verb{min-width:0}
.signs{display:flex;flex-wrap:wrap;gap:.75rem;margin:1.5rem 0}
.sign{padding:.6rem 2rem .6rem 1.1rem;background:var(--blaze);color:#241d02;font-weight:700;text-decoration:none;clip-path:polygon(0 0,calc(100% - 1.1rem) 0,100% 50%,calc(100% - 1.1rem) 100%,0 100%)}
.sign:hover{background:var(--plate);color:var(--on-plate)}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(15rem,1fr));gap:.75rem;padding:0;list-style:none}
.cards a{display:block;height:100%;padding:.9rem 1rem;background:var(--surface);border:1px solid var(--line);border-radius:10px;color:var(--ink);text-decoration:none}
.cards a:hover{border-color:var(--brand)}
.cards span{display:block;margin-top:.15rem;font-size:.875rem;line-height:1.45;color:var(--muted)}
.operations{list-style:none;padding:0;margin:0;border:1px solid var(--line);border-radius:10px;background:var(--surface);overflow:hidden}
.operations li{display:grid;grid-template-columns:19rem 1fr;gap:1rem;max-width:none;padding:.45rem 1rem;border-bottom:1px solid var(--line);font-size:.875rem}
.operations li:last-child{border:0}.operations code{background:none;padding:0}.operations a{text-decoration:none}.operations span:last-child{color:var(--muted)}
.tabs{display:flex;flex-wrap:wrap;margin:1rem 0}
.tabs input{position:absolute;opacity:0;width:1px;height:1px}
.tabs label{padding:.35rem .85rem;font-size:.875rem;font-weight:600;color:var(--muted);border-radius:8px 8px 0 0;cursor:pointer}
.tabs input:checked+label{background:var(--plate);color:var(--on-plate)}
.tabs input:focus-visible+label{outline:2px solid var(--brand)}
.tabs pre{display:none;order:9;width:100%;margin:0}
.tabs input:checked+label+pre{display:block}
.try{margin-top:3rem;padding:.25rem 1.25rem 1.25rem;background:var(--surface);border:1px solid var(--line);border-radius:12px}
.try h2{margin-top:1rem}
.fields{display:grid;grid-template-columns:11rem minmax(0,1fr);gap:.6rem 1rem;align-items:center;margin:1rem 0}
.fields label{font-size:.875rem;overflow-wrap:anywhere}.fields em{font-style:normal;font-size:.75rem;color:var(--danger)}
.try textarea{font-family:ui-monospace,monospace;font-size:.8125rem;resize:vertical}
.try summary{cursor:pointer;font-size:.875rem;font-weight:600}
.try button{margin-top:1rem;padding:.5rem 1.1rem;font:inherit;font-weight:600;color:var(--on-brand);background:var(--brand);border:0;border-radius:8px;cursor:pointer}
.try button:disabled{opacity:.55;cursor:not-allowed}
.try pre{background:var(--ground);font-size:.8125rem}.try img{display:block;width:10rem;margin:1rem 0;background:#fff;border-radius:8px}
.status{font-weight:700}.good{color:var(--brand)}.bad{color:var(--danger)}
.nothing{padding:.5rem .6rem;color:var(--muted)}
footer{display:flex;gap:1.25rem;margin-top:3.5rem;padding-top:1rem;border-top:1px solid var(--line);font-size:.875rem}
.menu{display:none}
@media(max-width:75rem){.frame{grid-template-columns:15rem minmax(0,1fr)}aside{display:none}}
@media(max-width:50rem){.fields{grid-template-columns:1fr;gap:.25rem}.fields label{margin-top:.5rem}.frame{display:block}.menu{display:block;margin-top:1rem;font-weight:600}.menu summary{padding:.5rem .9rem;background:var(--surface);border:1px solid var(--line);border-radius:8px;cursor:pointer}
.side{display:none;position:static;max-height:none;padding:1rem 0 0}.menu[open]+.side{display:block}
main{padding-top:1.5rem}.home span,search kbd{display:none}.app{display:none}search{flex:1}.operations li{display:block}.operations span:last-child{display:block}}
`

const operationLists = ({ operations }: Frame): string =>
  byTag(operations)
    .map(([tag, pages]) => {
      const rows = pages.map(
        ({ name, method, path, summary }) =>
          `<li><a href="${sites.docs}/reference/${name}"><span class="verb ${method.toLowerCase()}">${method}</span><code>${escapeHtml(path)}</code></a><span>${renderInline(summary, () => undefined)}</span></li>`,
      )
      return `<h3 id="${anchorOf(tag)}">${escapeHtml(tag)}</h3><ul class="operations">${rows.join('')}</ul>`
    })
    .join('')

const guideCards = (): string =>
  Object.entries(GUIDES)
    .map(([group, entries]) => {
      const cards = entries.map(
        ({ name, label, about }) =>
          `<li><a href="${sites.docs}/${name}"><strong>${label}</strong><span>${escapeHtml(about)}</span></a></li>`,
      )
      return `<h3>${group}</h3><ul class="cards">${cards.join('')}</ul>`
    })
    .join('')

const sectionsOf = ({ operations }: Frame) => [
  { id: 'guides', level: 2, title: 'Guides', words: '' },
  { id: 'operations', level: 2, title: 'Operations', words: '' },
  ...byTag(operations).map(([tag]) => ({ id: anchorOf(tag), level: 3, title: tag, words: '' })),
]

/** The start page: where to begin, every guide and every operation. */
export const renderFront = (frame: Frame): string =>
  renderLayout(frame, {
    path: sites.docs,
    title: 'Waymark docs',
    description: 'Guides and the reference of the Waymark API on this instance.',
    top: `<h1>Build with Waymark</h1><p class="lead">Short links, QR codes, barcodes, landing pages and UTM links. These pages describe this instance, and requests that you try here run on it.</p>
<p class="signs"><a class="sign" href="${sites.docs}/quickstart">Quick start</a><a class="sign" href="${sites.docs}/signing">Sign a request</a><a class="sign" href="${sites.docs}/reference/generate-link">Create a link</a></p>`,
    html: `<h2 id="guides">Guides</h2>${guideCards()}<h2 id="operations">Operations</h2><p>The same for machines: <a href="${sites.openapi}">${sites.openapi}</a> (OpenAPI 3.0.3) and <a href="/llms.txt">/llms.txt</a>.</p>${operationLists(frame)}`,
    sections: sectionsOf(frame),
    markdown: `${sites.docs}/llms.txt`,
  })

/** Only the operations. */
export const renderReferenceIndex = (frame: Frame): string =>
  renderLayout(frame, {
    path: `${sites.docs}/reference`,
    title: 'Reference',
    description: 'Every operation of the API.',
    html: `<p>Every operation with its fields, samples, responses and errors. What they have in common is in the <a href="${sites.docs}/api">API guide</a>.</p>${operationLists(frame)}`,
    sections: sectionsOf(frame).slice(2),
    markdown: `${sites.docs}/reference.md`,
  })
