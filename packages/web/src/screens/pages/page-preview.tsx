import { type PageView, renderPage } from '@waymark/page'
import { useEffect, useEffectEvent, useRef, useState } from 'react'

const SHELL =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><base target="_blank"></head><body></body></html>'

const withoutStyle = (html: string): string => html.replace(/<style>[^<]*<\/style>/, '')

/** What can be selected in the preview; a block by its index among the visible ones. */
export type PagePart = { readonly block: number } | 'title' | 'images' | 'logo' | 'icons'

/** The part of the page that an element belongs to. */
const partAt = (element: Element): PagePart | null => {
  const item = element.closest('nav > ul > li')
  if (item !== null) return { block: [...(item.parentElement?.children ?? [])].indexOf(item) }
  if (element.closest('header') !== null) return 'title'
  if (element.closest('figure') !== null) return 'images'
  if (element.closest('.logo') !== null) return 'logo'
  return element.closest('ul') === null ? null : 'icons'
}

/**
 * The page in a phone, rendered with the server's code. Its style sheet is passed as an object: the frame inherits our content
 * security policy, which allows no style elements.
 */
export function PagePreview({
  view,
  onPick,
}: {
  readonly view: PageView
  readonly onPick: (part: PagePart) => void
}) {
  const frameRef = useRef<HTMLIFrameElement>(null)
  const sheetRef = useRef<CSSStyleSheet>(null)
  const [isReady, setIsReady] = useState(false)
  const pick = useEffectEvent(onPick)

  useEffect(() => {
    const frame = frameRef.current
    const inner = frame?.contentDocument
    const Sheet = (frame?.contentWindow as (Window & typeof globalThis) | null)?.CSSStyleSheet
    if (!isReady || inner == null || Sheet === undefined) return
    const { html, style } = renderPage(view, { preview: true })
    if (sheetRef.current === null) {
      sheetRef.current = new Sheet()
      inner.adoptedStyleSheets = [sheetRef.current]
    }
    sheetRef.current.replaceSync(style)
    inner.body.innerHTML = new DOMParser().parseFromString(withoutStyle(html), 'text/html').body.innerHTML
  }, [view, isReady])

  useEffect(() => {
    const inner = frameRef.current?.contentDocument
    if (!isReady || inner == null) return undefined
    const onClick = (event: MouseEvent): void => {
      event.preventDefault()
      const part = partAt(event.target as Element)
      if (part !== null) pick(part)
    }
    inner.addEventListener('click', onClick)
    return () => inner.removeEventListener('click', onClick)
  }, [isReady])

  return (
    <div className="mx-auto w-full max-w-[22rem] rounded-[2.6rem] bg-[#16201b] p-2.5 shadow-lg ring-1 ring-line-strong">
      <iframe
        ref={frameRef}
        title="Preview of the page"
        sandbox="allow-same-origin allow-popups"
        srcDoc={SHELL}
        className="block h-[41rem] max-h-[calc(100dvh-9rem)] min-h-96 w-full rounded-[2rem] bg-[#fff]"
        onLoad={() => {
          sheetRef.current = null
          setIsReady(true)
        }}
      />
    </div>
  )
}
