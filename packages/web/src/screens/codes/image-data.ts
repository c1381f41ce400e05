/** A file as a data URL. */
const fileDataAddress = (file: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('This file cannot be read')))
    reader.readAsDataURL(file)
  })

/** An image of this server as a data URL; null if it cannot be loaded. */
export const asDataAddress = async (address: string): Promise<string | null> => {
  try {
    const { pathname, search } = new URL(address, location.origin)
    const response = await fetch(pathname + search)
    return response.ok ? await fileDataAddress(await response.blob()) : null
  } catch {
    return null
  }
}

const SIGNATURES = [
  [0x89, 0x50, 0x4e, 0x47],
  [0xff, 0xd8, 0xff],
]

/** A logo as a data URL. Rejects files that are not PNG or JPEG, or that cannot be decoded. */
export const decodedLogo = async (file: File): Promise<string> => {
  const start = new Uint8Array(await file.slice(0, 4).arrayBuffer())
  if (!SIGNATURES.some((signature) => signature.every((byte, at) => start[at] === byte)))
    throw new Error('Not a PNG or JPEG image')
  const bitmap = await createImageBitmap(file)
  bitmap.close()
  return fileDataAddress(file)
}
