/** A piece of finished HTML. A class, so that no string can pass for one by accident. */
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

/** Text as it stands in markup, between tags or double quotes. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')

const filled = (hole: Hole): string => {
  if (hole instanceof Markup) return hole.html
  if (Array.isArray(hole)) return (hole as Markup[]).map(({ html }) => html).join('')
  if (hole === null || hole === undefined || hole === false) return ''
  return escapeHtml(typeof hole === 'string' ? hole : String(Number(hole)))
}

/** Line breaks in the templates are for those who read them: what is served has none. */
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

/** HTML with holes. Whatever is no Markup is escaped; the holes of attributes must stand between double quotes. */
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
