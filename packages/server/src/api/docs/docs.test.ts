import { globSync } from 'node:fs'
import { operations, type Operation } from '@waymark/contract'
import { describe, expect, it } from 'vitest'
import { ANY_INSTANCE } from './docs.site.ts'
import { GUIDES } from './guides.ts'
import { docsFiles } from './pages.ts'

const files = docsFiles('/app/assets/docs.js')
const fileOf = (path: string): string =>
  /\.\w+$/.test(path) ? path.slice(1) : `${path.slice(1) || 'index'}.html`
const read = (path: string): string => files.get(fileOf(path)) ?? ''
const htmlPaths = [...files.keys()].flatMap((name) =>
  name.endsWith('.html') ? [`/${name.slice(0, -'.html'.length)}`.replace(/^\/index$/, '')] : [],
)
const guides = Object.values(GUIDES).flat()

describe('the pages below /docs', () => {
  it('include every file of docs/ except the tour, which is mostly pictures', () => {
    const files = globSync('*.md', { cwd: new URL('../../../../../docs/', import.meta.url) })
    const names = files
      .map((file) => file.replace(/\.md$/, ''))
      .filter((name) => name !== 'tour' && name !== 'README')
    expect(guides.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
  })

  it('include every guide and operation, as HTML and as Markdown', () => {
    for (const { name } of guides) {
      expect(read(`/${name}`), name).toContain('<h1>')
      expect(read(`/${name}.md`), name).toMatch(/^# /)
    }
    for (const { path } of Object.values(operations)) {
      const name = path.slice('/v1/'.length)
      expect(read(`/reference/${name}`), name).toContain(`<code>${path}</code>`)
      expect(read(`/reference/${name}.md`), name).toMatch(/^# /)
      for (const list of ['', '/reference', '/llms.txt']) expect(read(list)).toContain(`/reference/${name}`)
    }
    expect(htmlPaths.length).toBe(guides.length + Object.keys(operations).length + 2)
  })

  it.each(htmlPaths)('%s is under 100 KB', (path) => {
    expect(Buffer.byteLength(read(path))).toBeLessThan(100_000)
  })

  it('contain no Markdown syntax', () => {
    for (const path of htmlPaths) {
      const text = read(path)
        .replaceAll(/<style>[^]*?<\/style>|<pre[^]*?<\/pre>|<code>[^]*?<\/code>/g, '')
        .replaceAll(/<[^>]*>/g, '\n')
      expect(text, path).not.toMatch(/\]\(|```|\*\*|^\s*\||^#{1,6} |^\s*[-*] |`/m)
    }
  })

  it('link only to pages and headings that exist', () => {
    for (const path of htmlPaths) {
      for (const [, href = ''] of read(path).matchAll(/<a[^>]* href="([^"]*)"/g)) {
        const { pathname, hash, origin } = new URL(href, `${ANY_INSTANCE}/docs${path}`)
        if (origin !== ANY_INSTANCE || !pathname.startsWith('/docs')) continue
        const target = files.get(fileOf(pathname.slice('/docs'.length)))
        expect(target, `${path}: ${href}`).toBeDefined()
        const id = `id="${decodeURIComponent(hash.slice(1))}"`
        if (hash !== '') expect(target?.includes(id), `${path}: ${href}`).toBe(true)
      }
    }
  })

  it('load nothing from other hosts', () => {
    for (const path of htmlPaths)
      for (const [, address = ''] of read(path).matchAll(
        /<(?:script|link|img|iframe)[^>]* (?:src|href)="([^"]*)"/g,
      ))
        expect(address).toMatch(/^\/(?!\/)/)
  })

  it('state patterns and limits of fields', () => {
    const page = read('/reference/generate-link.md')
    expect(page).toMatch(/\| `link` \*\*required\*\* \| string \| .*At most 2048 characters/)
    expect(page).toMatch(/\| `customLink` \|.*matches `\^/i)
    expect(page).toMatch(/\| `redirect` \|.*one of `301`, `302`, `307`, `308`/i)
    expect(page).toMatch(/\| 409 \| /)
  })

  it('show a request of every operation in five languages, and its response', () => {
    for (const [name, operation] of Object.entries(operations as Record<string, Operation>)) {
      const page = read(`/reference/${operation.path.slice('/v1/'.length)}.md`)
      const titles = [...page.matchAll(/^```\w+ title=(.*)$/gm)].map(([, title]) => title)
      const all = ['curl', 'TypeScript', 'Python', 'PHP', 'Go']
      if (operation.tag === 'Dashboard') expect(titles, name).toEqual(['curl'])
      else expect(titles, name).toEqual(all)
      if (operation.returns === undefined)
        expect(page, name).toMatch(/\n```json\n\{\n {2}"status": "success"/)
    }
  })

  it('have a form for every operation that a key can call', () => {
    const form = read('/reference/generate-link')
    expect(form).toMatch(/<input id="try-link" name="link" data-kind="string" required value="https:[^"]+"/)
    expect(form).toContain('data-credential="key"')
    expect(form).not.toContain('data-credential="secret"')
    expect(read('/reference/generate-qr')).toMatch(/<input type="file" id="try-logo" name="logo"/)
    expect(read('/reference/sign-out')).not.toContain('<form')
  })
})
