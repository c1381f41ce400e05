import * as fc from 'fast-check'
import { parse } from 'parse5'
import { describe, expect, it } from 'vitest'
import { elements, type Node, Page, textOf } from '../test/read-page.ts'
import { bare, full, withBlocks } from '../test/views.ts'
import { renderPage, type PageView } from './index.ts'

const attacks = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</style><script>alert(1)</script>',
  '</title><svg onload=alert(1)>',
  '#fff;}body{background:url(https://evil.example)}',
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  '//evil.example/x',
  '/\\evil.example/x',
  'url(https://evil.example)',
  'expression(alert(1))',
  '@import "https://evil.example"',
  '\u0000<b>',
]
const attacked = (bad: string): PageView => ({
  uuid: bad,
  address: bad,
  lang: bad,
  title: bad,
  subtext: bad,
  logo: { src: bad, candidates: [{ src: bad, width: 1 }] },
  logoText: bad,
  logoPosition: bad as 'top-left',
  theme: {
    bgColor: bad,
    bggradient: [bad, bad],
    bodyBg: bad,
    textColor: bad,
    subTextColor: bad,
    buttonBgColor: bad,
    buttonTextColor: bad,
    logoBgColor: bad,
    socialIconColor: bad,
    borderWidth: bad,
    borderColor: bad,
    borderRadius: bad,
    boxShadow: bad,
  },
  topShape: { color: bad, height: 10, clip: bad },
  socialAlign: 'left',
  socialIcons: [{ name: bad, link: bad, bg: bad }],
  images: [
    { id: 1, src: bad, title: bad },
    { id: 2, src: `/m/1.webp`, title: bad, candidates: [{ src: bad, width: 2 }] },
  ],
  buttons: [
    { id: 1, label: bad, url: bad },
    { id: 2, label: bad, url: `https://example.com/${bad}` },
    ...(['image', 'video', 'contact'] as const).map((type, at) => ({
      id: 3 + at,
      type,
      label: bad,
      url: bad,
      file: bad,
      image: { src: bad, candidates: [{ src: bad, width: 1 }] },
      contact: {
        first_name: bad,
        last_name: bad,
        organisation: bad,
        title: bad,
        phone: bad,
        mobile: bad,
        email: bad,
        website: bad,
        street: bad,
        city: bad,
        postcode: bad,
        country: bad,
        note: bad,
      },
    })),
  ],
  preview: { src: bad },
})

describe('hostile input in every string', () => {
  const honest = [bare, full, withBlocks].map((view) => new Page(view))
  const allowed = new Set(honest.flatMap(({ attributeNames }) => [...attributeNames]))
  const known = new Set(honest.flatMap(({ tags }) => [...tags]))

  it.each(attacks)('%s is text', (bad) => {
    const { html, style, csp } = renderPage(attacked(bad))
    const document = parse(html)
    const all = elements(document)
    expect(all.map(({ tagName }) => tagName).filter((tag) => !known.has(tag))).toEqual([])
    const names = all.flatMap(({ attrs }) => attrs.map(({ name }) => name))
    expect(names.filter((name) => !allowed.has(name))).toEqual([])
    const addresses = all.flatMap(({ attrs }) =>
      attrs.filter(({ name }) => ['href', 'src', 'srcset', 'ping'].includes(name)).map((each) => each.value),
    )
    for (const address of addresses)
      expect(address).toMatch(/^(?:https:\/\/example\.com\/|\/m\/|\/e\/|tel:[+0-9]+$|mailto:)/)
    expect(style).not.toMatch(/evil|alert|<|@import|url\(|expression/)
    expect(textOf(all.find(({ tagName }) => tagName === 'style') as Node)).toBe(style)
    expect(csp('HASH')).not.toMatch(/evil|alert|data:|javascript:/)
  })

  it('shows markup literally', () => {
    const page = new Page({ ...bare, title: '<b>&amp;"\'</b>' })
    expect(page.texts('h1')).toEqual(['<b>&amp;"\'</b>'])
    expect(page.meta('og:title')).toBe('<b>&amp;"\'</b>')
  })
})

describe('the policy', () => {
  it('allows the one style sheet, own pictures and the exact origins of the others', () => {
    expect(renderPage(full).csp('abc=')).toBe(
      "default-src 'none'; style-src 'sha256-abc='; img-src 'self' https://pictures.example.org; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
    )
  })

  it('counts pictures of the page’s own origin as its own', () => {
    const view = { ...bare, images: [{ id: 1, src: 'https://go.example.com/m/1.webp' }] }
    expect(new Page(view).csp).toContain("img-src 'self';")
  })

  const policyWith = (src: string) => new Page({ ...bare, images: [{ id: 1, src }] }).csp
  const emptyPolicy = new Page(bare).csp

  it.each([
    'http://a;script-src/x.png',
    "https://a;script-src'unsafe-inline'/x.png",
    'https://*.example.com/x.png',
    'https://*/x.png',
    "https://'unsafe-inline'/x.png",
    'https://a,b/x.png',
    'https://a;report-uri$x/x.png',
    'http://[::1]:8080/x.png',
  ])('names no host such as that of %s', (src) => {
    expect(policyWith(src)).toBe(emptyPolicy)
  })

  it('has the same directives for any host of a picture', () => {
    const directives = (csp: string) => csp.split(';').map((each) => each.trim().split(' ')[0])
    const host = fc.string({
      unit: fc.constantFrom(...'ab.1-_;\'"*,!$&()+=~`{}'.split('')),
      minLength: 1,
      maxLength: 30,
    })
    fc.assert(
      fc.property(host, (name) => {
        const csp = policyWith(`https://${name}/x.png`)
        expect(directives(csp)).toEqual(directives(emptyPolicy))
        expect(csp).toMatch(/; img-src 'self'(?: https:\/\/[a-z0-9._-]+)?; /)
      }),
    )
  })

  it('needs no style attribute', () => {
    expect(new Page(full).attributeNames.has('style')).toBe(false)
  })
})
