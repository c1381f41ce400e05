/** The image formats that the server accepts. */
export const IMAGE_TYPES = 'image/png,image/jpeg,image/gif,image/webp,image/avif'

const files = new Map<string, File>()

/** A URL for a chosen file in this tab; the form holds it until the file is uploaded. */
export const pickFile = (file: File): string => {
  const address = URL.createObjectURL(file)
  files.set(address, file)
  return address
}

/** The file of such a URL; undefined for any other URL. */
export const pickedFile = (address: string): File | undefined => files.get(address)
