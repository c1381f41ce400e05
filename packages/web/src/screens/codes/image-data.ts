/** A file as a data address, which is how a picture carries its logo. */
export const fileDataAddress = (file: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file cannot be read')))
    reader.readAsDataURL(file)
  })

/** A picture of this server as a data address; null when it cannot be had. */
export const asDataAddress = async (address: string): Promise<string | null> => {
  try {
    const { pathname, search } = new URL(address, location.origin)
    const response = await fetch(pathname + search)
    return response.ok ? await fileDataAddress(await response.blob()) : null
  } catch {
    return null
  }
}
