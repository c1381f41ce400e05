import type PDFDocument from 'pdfkit'

type Pdf = InstanceType<typeof PDFDocument>

const INK = '#14181f'
const MUTED = '#667085'
const RULE = '#e4e7ec'
const ACCENT = '#0f766e'
const TINT = '#f6f8f8'

const LEFT = 56
const RIGHT = 539
const WIDTH = RIGHT - LEFT
const TOP = 56
/** The lower end of the table; the footer is below. */
const BOTTOM = 756
const FOOT = 790
/** Longer texts are truncated with an ellipsis: an address must not push the totals off the page. */
const LONGEST_TEXT = 126
const MAX_LINES = 9
/** More than fits anyway; the time to break a word into lines grows with the square of its length. */
const MAX_CHARACTERS = 500

interface TextStyle {
  size?: number
  bold?: boolean
  color?: string
  width?: number
  align?: 'left' | 'right'
  oneLine?: boolean
}

const COLUMNS = [
  { title: 'Description', x: LEFT, width: 225, align: 'left' },
  { title: 'Quantity', x: LEFT + 235, width: 50, align: 'right' },
  { title: 'Unit price', x: LEFT + 293, width: 84, align: 'right' },
  { title: 'Amount', x: LEFT + 385, width: WIDTH - 385, align: 'right' },
] as const

/** One invoice on as many A4 pages as it takes. */
export class InvoiceSheet {
  readonly #pdf: Pdf
  readonly #invoice: InvoiceDocument
  readonly #money: Money
  readonly #canDraw: (codePoint: number) => boolean
  #y = TOP
  #incomplete = false

  constructor(pdf: Pdf, invoice: InvoiceDocument) {
    this.#pdf = pdf
    this.#invoice = invoice
    this.#money = moneyIn(invoice.currency)
    this.#canDraw = glyphsOf(pdf)
  }

  draw(): void {
    this.#band()
    this.#head()
    this.#parties()
    this.#amountDue()
    this.#table()
    this.#sums()
    this.#notes()
    this.#feet()
  }

  #head(): void {
    const { number, issued_at, due_at, period_start, period_end, seller } = this.#invoice
    this.#text('Invoice', LEFT, this.#y, { size: 26, bold: true })
    this.#text(seller.name, LEFT + 200, this.#y + 9, {
      size: 12,
      bold: true,
      width: WIDTH - 200,
      align: 'right',
    })
    this.#y += 56
    const facts = [
      ['Invoice number', number],
      ['Date of issue', longDate(Date.parse(issued_at))],
      ['Date due', longDate(Date.parse(due_at))],
      ['Period', dayRange(Date.parse(period_start), Date.parse(period_end))],
    ] as const
    const offsets = [0, 112, 226, 340, WIDTH + 10]
    for (const [index, [label, value]] of facts.entries()) {
      const x = LEFT + (offsets[index] ?? 0)
      const width = (offsets[index + 1] ?? 0) - (offsets[index] ?? 0) - 10
      this.#text(label, x, this.#y, { size: 8, color: MUTED, width })
      this.#text(value, x, this.#y + 13, { width })
    }
    this.#y += 40
    this.#rule(this.#y)
    this.#y += 20
  }

  #parties(): void {
    const { seller, buyer } = this.#invoice
    const tax = seller.tax_id === null ? [] : [`Tax ID ${seller.tax_id}`]
    const from = this.#party('From', LEFT, seller.name, [seller.address, ...tax])
    const contact = buyer.email === buyer.name ? [buyer.address] : [buyer.address, buyer.email]
    const to = this.#party('Billed to', LEFT + WIDTH / 2 + 10, buyer.name, contact)
    this.#y = Math.max(from, to) + 26
  }

  #party(label: string, x: number, name: string, details: readonly (string | null)[]): number {
    const width = WIDTH / 2 - 20
    let y = this.#y
    y += this.#text(label, x, y, { size: 8, color: MUTED, width }) + 5
    y += this.#text(name, x, y, { size: 10.5, bold: true, width }) + 3
    for (const detail of details) {
      if (detail !== null && detail.trim() !== '') y += this.#text(detail.trim(), x, y, { width })
    }
    return y
  }

  #amountDue(): void {
    const { total, due_at } = this.#invoice
    const sentence =
      total > 0
        ? `${this.#money.withCode(total)} due on ${longDate(Date.parse(due_at))}`
        : `${this.#money.withCode(total)} \u2013 nothing to pay`
    this.#pdf.roundedRect(LEFT, this.#y, WIDTH, 44, 4).fill(TINT)
    this.#pdf.rect(LEFT, this.#y, 3, 44).fill(ACCENT)
    this.#text(sentence, LEFT + 16, this.#y + 13, { size: 14, bold: true, width: WIDTH - 32 })
    this.#y += 44 + 28
  }

  #table(): void {
    this.#tableHead()
    for (const line of this.#invoice.lines) {
      const cells = [
        line.description,
        new Intl.NumberFormat('en-US').format(line.quantity),
        this.#money.plain(line.unit_price),
        this.#money.plain(line.amount),
      ]
      const heights = COLUMNS.map((column, index) =>
        this.#height(this.#shown(cells[index] ?? ''), { width: column.width }),
      )
      const height = Math.max(...heights) + 14
      if (this.#y + height > BOTTOM) {
        this.#nextPage()
        this.#tableHead()
      }
      for (const [index, { x, width, align }] of COLUMNS.entries()) {
        this.#text(cells[index] ?? '', x, this.#y + 8, { width, align })
      }
      this.#y += height
      this.#rule(this.#y)
    }
  }

  #tableHead(): void {
    for (const { title, x, width, align } of COLUMNS) {
      const unit = title === 'Unit price' || title === 'Amount' ? ` (${this.#invoice.currency})` : ''
      this.#text(`${title}${unit}`, x, this.#y, { size: 8, color: MUTED, width, align })
    }
    this.#y += 17
    this.#rule(this.#y, INK)
  }

  #sums(): void {
    const { subtotal, tax, total } = this.#invoice
    if (this.#y + 120 > BOTTOM) this.#nextPage()
    this.#y += 16
    this.#sum('Subtotal', this.#money.withCode(subtotal))
    this.#sum(`Tax (${percent(tax.rate)})`, this.#money.withCode(tax.amount))
    this.#rule(this.#y + 2, RULE, LEFT + 225)
    this.#y += 12
    this.#sum('Total', this.#money.withCode(total), { size: 12, bold: true })
  }

  #sum(label: string, amount: string, style: TextStyle = {}): void {
    this.#text(label, LEFT + 225, this.#y, { ...style, width: 150 })
    this.#text(amount, LEFT + 345, this.#y, { ...style, width: WIDTH - 345, align: 'right' })
    this.#y += 22
  }

  #notes(): void {
    if (!this.#incomplete) return
    const note = `${MISSING} stands for a character this document cannot show. The invoice itself keeps it.`
    this.#text(note, LEFT, this.#y + 14, { size: 8, color: MUTED, width: WIDTH })
  }

  #feet(): void {
    const { number, seller } = this.#invoice
    const { start, count } = this.#pdf.bufferedPageRange()
    const identity = [seller.name, ...(seller.tax_id === null ? [] : [`Tax ID ${seller.tax_id}`]), number]
    for (let page = 0; page < count; page++) {
      this.#pdf.switchToPage(start + page)
      this.#rule(FOOT - 12)
      const style = { size: 8, color: MUTED, oneLine: true }
      this.#text(identity.join('  \u00b7  '), LEFT, FOOT, { ...style, width: WIDTH - 90 })
      this.#text(`Page ${page + 1} of ${count}`, RIGHT - 80, FOOT, { ...style, width: 80, align: 'right' })
    }
  }

  #nextPage(): void {
    this.#pdf.addPage()
    this.#band()
    this.#text(`Invoice ${this.#invoice.number}, continued`, LEFT, TOP, { bold: true })
    this.#y = TOP + 34
  }

  #band(): void {
    this.#pdf.rect(0, 0, this.#pdf.page.width, 6).fill(ACCENT)
  }

  #rule(y: number, color = RULE, from = LEFT): void {
    this.#pdf.moveTo(from, y).lineTo(RIGHT, y).lineWidth(0.75).stroke(color)
  }

  /** Draws and returns the height drawn. */
  #text(text: string, x: number, y: number, style: TextStyle): number {
    const shown = this.#shown(text)
    const height = this.#height(shown, style)
    this.#pdf
      .fillColor(style.color ?? INK)
      .text(shown, x, y, { ...layout(style), height: height + 1, ellipsis: true })
    return height
  }

  #height(shown: string, style: TextStyle): number {
    this.#select(style)
    const most = style.oneLine === true ? this.#pdf.currentLineHeight(true) : LONGEST_TEXT
    return Math.min(this.#pdf.heightOfString(shown, layout(style)), most)
  }

  #select({ size = 9.5, bold = false }: TextStyle): void {
    this.#pdf.font(bold ? 'bold' : 'regular').fontSize(size)
  }

  #shown(text: string): string {
    const whole = printable(text, this.#canDraw)
    const short = whole.length > MAX_CHARACTERS ? `${whole.slice(0, MAX_CHARACTERS)}\u2026` : whole
    const lines = short.split('\n')
    const shown = (lines.length > MAX_LINES ? [...lines.slice(0, MAX_LINES - 1), '\u2026'] : lines).join('\n')
    if (shown.includes(MISSING)) this.#incomplete = true
    return shown
  }
}

function layout({ width = WIDTH, align = 'left' }: TextStyle) {
  // Figures of equal width where amounts are in columns.
  return { width, align, lineGap: 2.5, ...(align === 'right' ? { features: ['tnum' as const] } : {}) }
}

/** Tests whether the document's font has a character; pdfkit does not expose the font itself. */
function glyphsOf(pdf: Pdf): (codePoint: number) => boolean {
  pdf.font('regular')
  const font: unknown = Reflect.get(Reflect.get(pdf, '_font') as object, 'font')
  const known = (Reflect.get(font as object, 'characterSet') as number[]) ?? []
  const set = new Set(known)
  return (codePoint) => set.has(codePoint)
}

/** Replaces a character that the font cannot draw: visible, so that the text does not look complete. */
const MISSING = '\u25a1'

/** Formats amounts of one currency, given in its smallest unit. */
interface Money {
  /** `1,234.50` */
  plain(minor: number): string
  /** `USD 1,234.50` */
  withCode(minor: number): string
}

export function moneyIn(currency: string): Money {
  const format = (options: Intl.NumberFormatOptions) => new Intl.NumberFormat('en-US', options)
  const withCode = format({ style: 'currency', currency, currencyDisplay: 'code' })
  // Currencies differ in the number of decimals.
  const digits = withCode.resolvedOptions().maximumFractionDigits ?? 2
  const plain = format({ minimumFractionDigits: digits, maximumFractionDigits: digits })
  return {
    plain: (minor) => plain.format(decimal(minor, digits)),
    withCode: (minor) => withCode.format(decimal(minor, digits)),
  }
}

/** As text, because a division would round large amounts. */
function decimal(minor: number, digits: number): Intl.StringNumericLiteral {
  const sign = minor < 0 ? '-' : ''
  const figures = String(Math.abs(minor)).padStart(digits + 1, '0')
  const split = figures.length - digits
  return `${sign}${figures.slice(0, split)}.${figures.slice(split)}0` as Intl.StringNumericLiteral
}

export function longDate(at: number): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(at)
}

/** Both ends are days of the period, whose end is the moment the next one begins. */
export function dayRange(startMs: number, endMs: number): string {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
  return `${format.format(startMs)} \u2013 ${format.format(Math.max(startMs, endMs - 1))}`
}

export function percent(rate: number): string {
  return `${new Intl.NumberFormat('en-US', { maximumFractionDigits: 3 }).format(rate)}%`
}

const segmenter = new Intl.Segmenter('en')

/** The text with undrawable characters replaced; line breaks stay, other control characters become spaces. */
export function printable(text: string, canDraw: (codePoint: number) => boolean): string {
  const clean = text
    .normalize('NFC')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\P{Cc}\n]/gu, ' ')
  return [...segmenter.segment(clean)]
    .map(({ segment }) => (segment === '\n' || drawable(segment, canDraw) ? segment : MISSING))
    .join('')
}

function drawable(segment: string, canDraw: (codePoint: number) => boolean): boolean {
  return Array.from(segment).every((character) => canDraw(character.codePointAt(0) ?? 0))
}

/** An invoice as it was issued. Times are ISO 8601, amounts in the smallest unit of the currency. */
export interface InvoiceDocument {
  readonly number: string
  readonly issued_at: string
  readonly due_at: string
  readonly period_start: string
  /** The moment the next period begins. */
  readonly period_end: string
  readonly currency: string
  readonly seller: { readonly name: string; readonly address: string | null; readonly tax_id: string | null }
  readonly buyer: { readonly name: string; readonly email: string; readonly address: string | null }
  readonly lines: readonly {
    readonly description: string
    readonly quantity: number
    readonly unit_price: number
    readonly amount: number
  }[]
  readonly subtotal: number
  /** `rate` in percent. */
  readonly tax: { readonly rate: number; readonly amount: number }
  readonly total: number
}
