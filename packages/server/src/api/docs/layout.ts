import { sites } from '@waymark/contract'
import { escapeHtml } from '@waymark/page'
import { MARK } from '../../visitors/site.ts'
import { GUIDES } from './guides.ts'
import type { Section } from './markdown.ts'
import type { ReferencePage } from './reference.ts'

/** What surrounds every page. */
export interface Frame {
  readonly operations: readonly ReferencePage[]
  /** Path of the built script. Without it nothing but searching and trying is missing. */
  readonly script: string | undefined
  /** Path of the style sheet. */
  readonly style: string
}

export interface Content {
  /** Path of the page. */
  readonly path: string
  readonly title: string
  readonly description: string
  /** Markup of the page below its title. */
  readonly html: string
  /** Markup in place of the plain title. */
  readonly top?: string
  readonly sections: readonly Section[]
  /** Path of the page as Markdown. */
  readonly markdown: string
}

const isHere = (path: string, here: string): string => (path === here ? ' aria-current="page"' : '')

const item = (path: string, label: string, here: string): string =>
  `<li><a href="${path}"${isHere(path, here)}>${label}</a></li>`

/** Operations by tag, in the order of the table. */
export const byTag = (operations: readonly ReferencePage[]): [string, ReferencePage[]][] => {
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
