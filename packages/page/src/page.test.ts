import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { elements, type Node, Page, textOf, value } from '../test/read-page.ts'
import { bare, full, uuid, withBlocks } from '../test/views.ts'
import { CLICK_SCRIPT_PATH, renderPage } from './index.ts'

describe('contents for visitors', () => {
  const page = new Page(full)

  it('has title, subtext and the visible buttons, in order', () => {
    expect(page.texts('h1')).toEqual([full.title])
    expect(page.texts('title')).toEqual([full.title])
    expect(textOf(page.all('p')[0] as Node)).toBe(full.subtext)
    expect(page.all('a', 'class', 'b').map((link) => [textOf(link), value(link, 'href')])).toEqual([
      ['Shop the winter kiln', 'https://shop.example.com/?a=1&b=2'],
      ['Book a wheel-throwing class', 'https://example.com/class'],
    ])
    expect(page.all('p', 'class', 'b').map(textOf)).toEqual(['Open on Fridays'])
    expect(page.html).not.toContain('Hidden for now')
  })

  it('reports clicks by ping, with the number of the button or the place of the icon', () => {
    expect(page.attributes('a', 'ping')).toEqual([
      `/e/${uuid}/button/1`,
      `/e/${uuid}/button/2`,
      `/e/${uuid}/icon/0`,
      `/e/${uuid}/icon/1`,
    ])
    expect(page.attributes('script', 'src')).toEqual([CLICK_SCRIPT_PATH])
  })

  it('has headings, texts and dividers between its buttons, and buttons that call or mail', () => {
    const page = new Page({
      ...bare,
      buttons: [
        { id: 1, type: 'heading', label: 'Visit' },
        { id: 2, type: 'text', label: 'Until six', url: 'https://example.com/ignored' },
        { id: 3, type: 'divider', label: '' },
        { id: 4, label: 'Call', url: 'tel:+441632960001', image: { src: '/m/call.webp' } },
        { id: 5, type: 'link', label: 'Odd', url: 'javascript:alert(1)' },
      ],
    })
    expect(page.all('h2').map(textOf)).toEqual(['Visit'])
    expect(page.all('p', 'class', 't').map(textOf)).toEqual(['Until six'])
    expect(page.all('li', 'role', 'separator')).toHaveLength(1)
    const links = page.all('a', 'class', 'b')
    expect(links.map((link) => value(link, 'href'))).toEqual(['tel:+441632960001'])
    expect(page.all('img').map((img) => value(img, 'src'))).toContain('/m/call.webp')
  })

  it('has images, videos and contacts among its buttons, each with its own picture size', () => {
    const blocks = new Page(withBlocks)
    expect(blocks.attributes('img', 'alt')).toEqual(['The kiln', '', '', ''])
    expect(blocks.texts('figcaption')).toEqual(['The kiln'])
    const links = blocks.all('a').map((link) => [value(link, 'href'), value(link, 'ping')])
    expect(links.slice(0, 6)).toEqual([
      ['https://shop.example.com/x', `/e/${uuid}/button/2`],
      ['https://video.example.com/1', `/e/${uuid}/button/3`],
      ['tel:+4640123456', undefined],
      ['mailto:mara@example.com', undefined],
      ['https://example.com/', undefined],
      ['/p/mara/4.vcf', `/e/${uuid}/button/4`],
    ])
    expect(value(blocks.all('a')[0], 'aria-label')).toBe('shop.example.com')
    expect(blocks.texts('h2')).toEqual(['Mara Lindqvist'])
    expect(blocks.html).toContain('>Potter, Studio</p>')
    expect(blocks.html).toContain('>Ågatan 1, 211 11 Malmö</p>')
    expect(blocks.html).toContain('>Save contact</a>')
    // The page sends no request to the host of the video.
    expect(blocks.csp).toContain("img-src 'self' https://pictures.example.org;")
    expect(blocks.csp).not.toContain('video.example.com')
    expect(new Page(bare).style).not.toContain('.card')
  })

  it('names every icon and draws its logo', () => {
    const icons = page.all('ul', 'class', 'social').flatMap(elements)
    expect(icons.map((element) => value(element, 'aria-label')).filter(Boolean)).toEqual([
      'Social networks',
      'Instagram',
      'Mastodon',
      'YouTube',
    ])
    const paths = icons.filter(({ tagName }) => tagName === 'path').map((path) => value(path, 'd'))
    expect(new Set(paths).size).toBe(3)
  })

  it('shows several pictures as a focusable list, and lazy-loads all but the first two', () => {
    const reel = page.all('ul', 'class', 'reel')[0]
    expect(value(reel, 'tabindex')).toBe('0')
    const pictures = elements(reel as Node).filter(({ tagName }) => tagName === 'img')
    expect(pictures.map((each) => value(each, 'src'))).toEqual([
      '/m/1.webp',
      '/m/2.webp',
      'https://pictures.example.org/kiln.jpg',
    ])
    expect(pictures.map((each) => value(each, 'loading'))).toEqual([undefined, 'lazy', 'lazy'])
    expect(value(pictures[0], 'srcset')).toBe('/m/1.webp?w=480 480w, /m/1.webp?w=960 960w')
    expect([value(pictures[0], 'width'), value(pictures[0], 'height')]).toEqual(['1200', '900'])
    expect(value(pictures[0], 'alt')).toBe('Glazing day')
    expect(pictures.map((each) => value(each, 'referrerpolicy'))).toEqual([
      undefined,
      undefined,
      'no-referrer',
    ])
    expect(page.html).not.toContain('hidden.example.org')
  })

  it('shows one picture as a hero', () => {
    const one = new Page({ ...bare, images: [{ id: 1, src: '/m/1.webp' }] })
    expect(one.attributes('figure', 'class')).toEqual(['hero'])
    expect(one.all('ul', 'class', 'reel')).toEqual([])
  })

  it.each(['top-left', 'top-right', 'top-center', 'bottom-left', 'bottom-right'] as const)(
    'puts the logo %s',
    (logoPosition) => {
      const { html } = new Page({ ...full, logoPosition })
      expect(html.indexOf('class="logo') < html.indexOf('<h1')).toBe(logoPosition.startsWith('top'))
      const side = { left: 'left', right: 'right', center: 'large' }[logoPosition.split('-')[1] as 'left']
      expect(html).toContain(`class="logo ${side} filled over"`)
    },
  )

  it('hides the logo with its icon and picture if its status is 0', () => {
    const hidden = new Page({ ...full, logoStatus: 0, images: [], preview: null })
    expect(hidden.html).not.toContain('logo.webp')
    expect(hidden.html).not.toContain('Studio')
  })

  it('needs no script if there is nothing to click', () => {
    const still = new Page({ ...bare, socialIcons: [], buttons: [{ id: 1, label: 'Soon' }] })
    expect(still.all('script')).toEqual([])
    expect(still.csp).not.toContain('script-src')
  })

  it('is inert in a preview', () => {
    const preview = new Page(
      { ...full, images: [{ id: 1, src: 'blob:https://go.example.com/1' }] },
      { preview: true },
    )
    expect(preview.all('a', 'ping')).toEqual([])
    expect(preview.all('script')).toEqual([])
    expect(preview.attributes('base', 'target')).toEqual(['_blank'])
    expect(preview.html).toContain('src="blob:')
    expect(new Page({ ...bare, images: [{ id: 1, src: 'blob:x' }] }).html).not.toContain('blob:')
  })
})

describe('metadata', () => {
  it('describes itself for search engines and share previews', () => {
    const page = new Page(full)
    expect(page.attributes('html', 'lang')).toEqual(['sv'])
    expect(page.all('link', 'rel', 'canonical').map((link) => value(link, 'href'))).toEqual([full.address])
    expect(page.all('link', 'rel', 'icon').map((link) => value(link, 'href'))).toEqual(['/m/logo.webp'])
    expect(page.meta('description')).toBe(
      'Ceramics from a small studio in Malmö. Slow, sturdy, made for every day.',
    )
    expect(page.meta('og:title')).toBe(full.title)
    expect(page.meta('og:url')).toBe(full.address)
    expect(page.meta('og:image')).toBe('https://go.example.com/o/preview.png')
    expect(page.meta('og:image:width')).toBe('1200')
    expect(page.meta('twitter:card')).toBe('summary_large_image')
  })

  it('uses the labels of buttons as description without a subtext', () => {
    const page = new Page({ ...bare, subtext: null })
    expect(page.meta('description')).toBe(
      'Shop the winter kiln · Book a wheel-throwing class · Open on Fridays',
    )
    expect(page.meta('twitter:card')).toBe('summary')
    expect(page.attributes('html', 'lang')).toEqual(['en'])
  })
})

describe('the theme', () => {
  it('is in the page as #rrggbb and as it was given', () => {
    const { html } = new Page(full)
    const { bggradient, borderWidth, borderRadius, boxShadow, ...colors } = full.theme ?? {}
    const given = [...Object.values(colors), ...(bggradient ?? []), '#ffd199', '#c4175c']
    for (const color of given) expect(html).toContain(String(color))
    expect(html).toContain(`border:${borderWidth} solid`)
    expect(html).toContain(`--boxround:${borderRadius}`)
    expect(html).toContain(`box-shadow:${boxShadow}`)
    expect(html).toContain('clip-path:polygon(0 0, 100% 0, 100% 70%, 0 100%)')
    expect(html).toContain('min(160px,60vh)')
    expect(html).toContain('.social{justify-content:flex-start}')
  })

  it('leaves light and dark mode to the visitor by default', () => {
    expect(new Page(bare).style).toContain('prefers-color-scheme:dark')
    expect(new Page({ ...bare, theme: { buttonBgColor: '#ff0000' } }).style).toContain(
      'prefers-color-scheme:dark',
    )
    expect(new Page({ ...bare, theme: { bgColor: '#123456' } }).style).not.toContain(
      'prefers-color-scheme:dark',
    )
    expect(new Page({ ...bare, theme: { textColor: '#ffffff' } }).style).toContain('color-scheme:dark')
  })

  it('loads a font only if its theme has an included one', () => {
    const [mono, serif, unknown] = ['overpass-mono', 'serif', '"}</style>'].map(
      (font) => new Page({ ...bare, theme: { font } }),
    )
    expect(mono?.style).toContain('--font:"Overpass Mono",')
    expect(mono?.style).toContain('@font-face{font-family:"Overpass Mono"')
    expect(mono?.csp).toContain("font-src 'self'")
    expect(serif?.style).toContain('--font:ui-serif,')
    expect(unknown?.style).toBe(new Page(bare).style)
    for (const page of [serif, unknown, new Page(bare)]) {
      expect(page?.style).not.toContain('@font-face')
      expect(page?.csp).not.toContain('font-src')
    }
  })

  it('has a shape at the top only with a height', () => {
    expect(new Page({ ...bare, topShape: { color: '#ff0000', height: 0 } }).html).not.toContain(
      'class="shape"',
    )
    expect(new Page({ ...bare, topShape: { color: null, height: null, clip: null } }).html).not.toContain(
      'class="shape"',
    )
    expect(new Page({ ...bare, topShape: { color: '#ff0000' } }).html).toContain('class="shape"')
  })
})

it('a page with only text is under 12 KB compressed', () => {
  const buttons = Array.from({ length: 20 }, (_, id) => ({
    id,
    label: `A button that leads to place number ${id * 7919}`,
    url: `https://example.com/${(id * 7_368_787).toString(36)}`,
  }))
  expect(gzipSync(renderPage({ ...bare, buttons }).html).length).toBeLessThan(6 * 1024)
})

it('the same view gives the same bytes', () => {
  expect(renderPage(full).html).toBe(renderPage(structuredClone(full)).html)
})
