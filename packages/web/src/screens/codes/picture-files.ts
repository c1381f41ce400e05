import { type Picture, toSvg } from '@waymark/codes'
import { toPdf } from './pdf.ts'

const loadImage = async (address: string): Promise<HTMLImageElement> => {
  const image = new Image()
  image.src = address
  await image.decode()
  return image
}

interface Sheet {
  readonly canvas: HTMLCanvasElement
  readonly context: CanvasRenderingContext2D
}

const canvasOf = (width: number, height: number): Sheet => {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('This browser cannot draw images')
  return { canvas, context }
}

const blobOf = (canvas: HTMLCanvasElement, type: string, quality?: number): Promise<Blob> =>
  new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error('The image is too large')) : resolve(blob)),
      type,
      quality,
    ),
  )

export const svgFile = (picture: Picture): Blob => new Blob([toSvg(picture)], { type: 'image/svg+xml' })

/** Drawn from the outlines at the requested scale, not enlarged. */
const drawn = async (picture: Picture, scale: number): Promise<Sheet> => {
  const image = await loadImage(`data:image/svg+xml,${encodeURIComponent(toSvg(picture, scale))}`)
  const sheet = canvasOf(Math.round(picture.width * scale), Math.round(picture.height * scale))
  sheet.context.drawImage(image, 0, 0, sheet.canvas.width, sheet.canvas.height)
  return sheet
}

export const pngFile = async (picture: Picture, scale: number): Promise<Blob> =>
  blobOf((await drawn(picture, scale)).canvas, 'image/png')

/** The pixels of a picture at its own size. */
export async function pixelsOf(picture: Picture): Promise<ImageData> {
  const { canvas, context } = await drawn(picture, 1)
  return context.getImageData(0, 0, canvas.width, canvas.height)
}

const LOGO_PX = 600

/** The logo on the image's background, fitted into a square as in the SVG. */
const logoOf = async ({
  logo,
  background,
}: Picture): Promise<{ jpeg: Uint8Array; sidePx: number } | undefined> => {
  if (logo === undefined) return undefined
  const image = await loadImage(logo.href)
  const { canvas, context } = canvasOf(LOGO_PX, LOGO_PX)
  const scale = Math.min(LOGO_PX / image.naturalWidth, LOGO_PX / image.naturalHeight)
  const [width, height] = [image.naturalWidth * scale, image.naturalHeight * scale]
  context.fillStyle = background
  context.fillRect(0, 0, LOGO_PX, LOGO_PX)
  context.drawImage(image, (LOGO_PX - width) / 2, (LOGO_PX - height) / 2, width, height)
  const blob = await blobOf(canvas, 'image/jpeg', 0.94)
  return { jpeg: new Uint8Array(await blob.arrayBuffer()), sidePx: LOGO_PX }
}

export async function pdfFile(picture: Picture): Promise<Blob> {
  return new Blob([toPdf(picture, await logoOf(picture))], { type: 'application/pdf' })
}
