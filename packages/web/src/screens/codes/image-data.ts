/** A file as a data URL. */
export const fileDataAddress = (file: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('This file cannot be read')))
    reader.readAsDataURL(file)
  })

/** An image of this server as a data URL; null when it cannot be loaded. */
export const asDataAddress = async (address: string): Promise<string | null> => {
  try {
    const { pathname, search } = new URL(address, location.origin)
    const response = await fetch(pathname + search)
    return response.ok ? await fileDataAddress(await response.blob()) : null
  } catch {
    return null
  }
}
