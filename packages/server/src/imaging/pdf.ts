import { inkPaths } from '@waymark/codes'
import type { Picture } from '@waymark/codes'
type PdfDocument = PDFKit.PDFDocument

/** At 96 pixels per inch. */
const POINTS_PER_PX = 0.75

/** A picture as a one-page vector PDF; the same picture gives the same bytes. */
export async function toPdf(picture: Picture, pointsPerPx = POINTS_PER_PX): Promise<Buffer> {
  // PDF is rarely requested, so its library is not loaded at start.
  const { default: Pdf } = await import('pdfkit')
  const document = new Pdf({
    size: [picture.width * pointsPerPx, picture.height * pointsPerPx],
    margin: 0,
    // A fixed date, because otherwise every copy would differ.
    info: { Title: picture.title, CreationDate: new Date(0), ModDate: new Date(0) },
  })
  const parts: Buffer[] = []
  const done = new Promise<Buffer>((resolve, reject) => {
    document.on('data', (part: Buffer) => parts.push(part))
    document.on('end', () => resolve(Buffer.concat(parts)))
    document.on('error', reject)
  })
  document.scale(pointsPerPx)
  drawOn(document, picture)
  document.end()
  return done
}

type Ink = string | [number, number, number, number]

/** Black uses only black ink: the edges of a mix of four inks blur if the printing plates are not exactly aligned. */
const INKS: Readonly<Record<string, Ink>> = { '#000000': [0, 0, 0, 100], '#ffffff': [0, 0, 0, 0] }
const inkOf = (color: string): Ink => INKS[color] ?? color

function drawOn(document: PdfDocument, picture: Picture): void {
  document.rect(0, 0, picture.width, picture.height).fill(inkOf(picture.background))
  for (const ink of inkPaths(picture)) {
    if (ink.path === '') continue
    document.save().translate(ink.left, ink.top).scale(ink.scaleX, ink.scaleY).path(ink.path)
    if (typeof ink.paint === 'number') document.lineWidth(ink.paint).lineCap('round').stroke(inkOf(ink.color))
    else document.fill(inkOf(ink.color), ink.paint === 'overlapping' ? 'non-zero' : 'even-odd')
    document.restore()
  }
  const { logo, caption } = picture
  if (logo !== undefined) {
    document.image(logo.href, logo.left, logo.top, {
      fit: [logo.size, logo.size],
      align: 'center',
      valign: 'center',
    })
  }
  if (caption !== undefined) {
    document
      .save()
      .translate(caption.left, caption.baseline)
      .scale(caption.size / 1000)
    document.path(caption.path).fill(inkOf(caption.color)).restore()
  }
}
