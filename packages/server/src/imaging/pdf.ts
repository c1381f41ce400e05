import { inkPaths } from '@waymark/codes'
import type { Picture } from '@waymark/codes'
type PdfDocument = PDFKit.PDFDocument

const POINTS_PER_PX = 0.75

/** A picture as a one-page vector PDF, 96 pixels to the inch; same picture, same bytes. */
export async function toPdf(picture: Picture): Promise<Buffer> {
  // Few ever ask for PDF, so its library is not loaded at start.
  const { default: Pdf } = await import('pdfkit')
  const document = new Pdf({
    size: [picture.width * POINTS_PER_PX, picture.height * POINTS_PER_PX],
    margin: 0,
    // A date of its own would make every copy differ.
    info: { Title: picture.title, CreationDate: new Date(0), ModDate: new Date(0) },
  })
  const parts: Buffer[] = []
  const done = new Promise<Buffer>((resolve, reject) => {
    document.on('data', (part: Buffer) => parts.push(part))
    document.on('end', () => resolve(Buffer.concat(parts)))
    document.on('error', reject)
  })
  document.scale(POINTS_PER_PX)
  drawOn(document, picture)
  document.end()
  return done
}

function drawOn(document: PdfDocument, picture: Picture): void {
  document.rect(0, 0, picture.width, picture.height).fill(picture.background)
  for (const ink of inkPaths(picture)) {
    if (ink.path === '') continue
    document.save().translate(ink.left, ink.top).scale(ink.scaleX, ink.scaleY).path(ink.path)
    if (typeof ink.paint === 'number') document.lineWidth(ink.paint).lineCap('round').stroke(ink.color)
    else document.fill(ink.color, ink.paint === 'overlapping' ? 'non-zero' : 'even-odd')
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
    document.path(caption.path).fill(caption.color).restore()
  }
}
