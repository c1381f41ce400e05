import { inkPaths, type InkPath, type Picture } from '@waymark/codes'
import { pdfPath } from './pdf-path.ts'

/** A CSS pixel is 1/96 inch, a PDF unit 1/72. */
const UNITS_PER_PX = 0.75

const fixed = (value: number): string => String(Math.round(value * 10_000) / 10_000)

const rgb = (color: string): string =>
  [1, 3, 5].map((at) => fixed(Number.parseInt(color.slice(at, at + 2), 16) / 255)).join(' ')

const FILLS = { crisp: 'f*', smooth: 'f*', overlapping: 'f' } as const

const ink = ({ color, path, paint, left, top, scaleX, scaleY }: InkPath): string =>
  path === ''
    ? ''
    : [
        'q',
        `${fixed(scaleX)} 0 0 ${fixed(scaleY)} ${fixed(left)} ${fixed(top)} cm`,
        typeof paint === 'number' ? `${rgb(color)} RG ${fixed(paint)} w 1 J` : `${rgb(color)} rg`,
        pdfPath(path),
        typeof paint === 'number' ? 'S' : FILLS[paint],
        'Q',
      ].join('\n')

const drawing = (picture: Picture): string => {
  const { width, height, background, logo, caption } = picture
  const parts = [
    // In pictures y points down, in PDF up.
    `${UNITS_PER_PX} 0 0 -${UNITS_PER_PX} 0 ${fixed(height * UNITS_PER_PX)} cm`,
    `${rgb(background)} rg 0 0 ${fixed(width)} ${fixed(height)} re f`,
    ...inkPaths(picture).map(ink),
  ]
  if (logo !== undefined)
    parts.push(
      `q ${fixed(logo.size)} 0 0 -${fixed(logo.size)} ${fixed(logo.left)} ${fixed(logo.top + logo.size)} cm /Logo Do Q`,
    )
  if (caption !== undefined) {
    const { path, color, left, baseline, size } = caption
    const scale = size / 1000
    parts.push(ink({ path, color, paint: 'overlapping', left, top: baseline, scaleX: scale, scaleY: scale }))
  }
  return parts.join('\n')
}

/** A square JPEG of the logo; the caller decodes images. */
export interface PdfLogo {
  readonly jpeg: Uint8Array
  readonly sidePx: number
}

const latin = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0) & 255)

const join = (chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const whole = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0))
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}

/** A picture as a one-page PDF with the same outlines as the SVG, so that it prints sharp at any size. */
export function toPdf(picture: Picture, logo?: PdfLogo): Uint8Array<ArrayBuffer> {
  const content = latin(drawing(logo === undefined ? { ...picture, logo: undefined } : picture))
  const box = `[0 0 ${fixed(picture.width * UNITS_PER_PX)} ${fixed(picture.height * UNITS_PER_PX)}]`
  const resources = logo === undefined ? '<< >>' : '<< /XObject << /Logo 5 0 R >> >>'
  const objects = [
    [latin('<< /Type /Catalog /Pages 2 0 R >>')],
    [latin('<< /Type /Pages /Kids [3 0 R] /Count 1 >>')],
    [latin(`<< /Type /Page /Parent 2 0 R /MediaBox ${box} /Resources ${resources} /Contents 4 0 R >>`)],
    stream(`/Length ${content.length}`, content),
  ]
  if (logo !== undefined)
    objects.push(
      stream(
        `/Type /XObject /Subtype /Image /Width ${logo.sidePx} /Height ${logo.sidePx} /ColorSpace /DeviceRGB ` +
          `/BitsPerComponent 8 /Filter /DCTDecode /Length ${logo.jpeg.length}`,
        logo.jpeg,
      ),
    )
  return file(objects)
}

const stream = (dictionary: string, bytes: Uint8Array): Uint8Array[] => [
  latin(`<< ${dictionary} >>\nstream\n`),
  bytes,
  latin('\nendstream'),
]

const file = (objects: readonly Uint8Array[][]): Uint8Array<ArrayBuffer> => {
  const chunks = [latin('%PDF-1.4\n%\u00e2\u00e3\u00cf\u00d3\n')]
  const length = (): number => chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  const offsets: number[] = []
  for (const [index, body] of objects.entries()) {
    offsets.push(length())
    chunks.push(latin(`${index + 1} 0 obj\n`), ...body, latin('\nendobj\n'))
  }
  const start = length()
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  chunks.push(
    latin(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}` +
        `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`,
    ),
  )
  return join(chunks)
}
