import { sites } from '@waymark/contract'
import { escapeHtml } from '@waymark/page'
import { GUIDES } from './guides.ts'
import { byTag, type Frame, renderLayout } from './layout.ts'
import { anchorOf, renderInline } from './markdown.ts'

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

/** The first page: where to begin, every guide and every operation. */
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

/** The operations alone. */
export const renderReferenceIndex = (frame: Frame): string =>
  renderLayout(frame, {
    path: `${sites.docs}/reference`,
    title: 'Reference',
    description: 'Every operation of the API.',
    html: `<p>Every operation with its fields, samples, responses and errors. What they have in common is in the <a href="${sites.docs}/api">API guide</a>.</p>${operationLists(frame)}`,
    sections: sectionsOf(frame).slice(2),
    markdown: `${sites.docs}/reference.md`,
  })
