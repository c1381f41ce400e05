import { parse, type DefaultTreeAdapterTypes } from 'parse5'
import { expect } from 'vitest'
import { renderPage, type PageView, type RenderOptions } from '../src/index.ts'

export type Node = DefaultTreeAdapterTypes.Node
type Element = DefaultTreeAdapterTypes.Element

export const elements = (node: Node): Element[] => {
  const children = 'childNodes' in node ? node.childNodes.flatMap(elements) : []
  return 'tagName' in node ? [node, ...children] : children
}
export const textOf = (node: Node): string => {
  if ('value' in node) return node.value
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : ''
}
export const value = (element: Element | undefined, name: string): string | undefined =>
  element?.attrs.find((each) => each.name === name)?.value

/** A page as a browser reads it. */
export class Page {
  readonly html: string
  readonly style: string
  readonly csp: string
  readonly #all: Element[]

  constructor(view: PageView, options?: RenderOptions) {
    const page = renderPage(view, options)
    this.html = page.html
    this.style = page.style
    this.csp = page.csp('HASH')
    this.#all = elements(parse(page.html, { onParseError: ({ code }) => expect.fail(code) }))
  }

  all(tag: string, attribute?: string, wanted?: string): Element[] {
    return this.#all.filter(
      (element) =>
        element.tagName === tag &&
        (attribute === undefined ||
          (wanted === undefined
            ? value(element, attribute) !== undefined
            : value(element, attribute) === wanted)),
    )
  }

  texts(tag: string): string[] {
    return this.all(tag).map(textOf)
  }

  attributes(tag: string, name: string): (string | undefined)[] {
    return this.all(tag).map((element) => value(element, name))
  }

  meta(name: string): string | undefined {
    return value(this.all('meta', name.startsWith('og:') ? 'property' : 'name', name)[0], 'content')
  }

  get tags(): Set<string> {
    return new Set(this.#all.map(({ tagName }) => tagName))
  }

  get attributeNames(): Set<string> {
    return new Set(this.#all.flatMap(({ attrs }) => attrs.map(({ name }) => name)))
  }
}
