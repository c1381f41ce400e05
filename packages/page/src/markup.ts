/** A piece of finished HTML. A class, so that a string is not mistaken for one. */
export class Markup {
  readonly html: string

  constructor(html: string) {
    this.html = html
  }
}

type Hole = string | number | Markup | readonly Markup[] | null | undefined | false

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for markup, between tags or double quotes. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')

const filled = (hole: Hole): string => {
  if (hole instanceof Markup) return hole.html
  if (Array.isArray(hole)) return (hole as Markup[]).map(({ html }) => html).join('')
  if (hole === null || hole === undefined || hole === false) return ''
  return escapeHtml(typeof hole === 'string' ? hole : String(Number(hole)))
}

/** Removes line breaks of the templates, which are only for readability. */
const tightened = (part: string): string => {
  const [first = '', ...others] = part.split('\n')
  let tight = first
  for (const [index, line] of others.entries()) {
    const isLast = index === others.length - 1
    const words = isLast ? line.trimStart() : line.trim()
    if (words === '' && !isLast) continue
    tight = tight.trimEnd()
    tight += tight.endsWith('>') || words.startsWith('<') ? words : ` ${words}`
  }
  return tight
}

const templates = new WeakMap<TemplateStringsArray, readonly string[]>()

/** HTML with placeholders. Values other than Markup are escaped; those in attributes must be between double quotes. */
export const html = (fixed: TemplateStringsArray, ...holes: readonly Hole[]): Markup => {
  let parts = templates.get(fixed)
  if (parts === undefined) {
    parts = fixed.map(tightened)
    templates.set(fixed, parts)
  }
  return new Markup(parts.map((part, index) => part + filled(holes[index])).join(''))
}

/** An attribute, or nothing when there is no value for it. */
export const attribute = (name: string, value: string | number | null | undefined): Markup | null =>
  value === null || value === undefined ? null : new Markup(` ${name}="${escapeHtml(String(value))}"`)
