/** The images that the server takes. */
export const IMAGE_TYPES = 'image/png,image/jpeg,image/gif,image/webp,image/avif'

const files = new Map<string, File>()

/** The address of a chosen file in this tab; the form holds it until the file is uploaded. */
export const pickFile = (file: File): string => {
  const address = URL.createObjectURL(file)
  files.set(address, file)
  return address
}

/** The file behind such an address; undefined for any other address. */
export const pickedFile = (address: string): File | undefined => files.get(address)
