/** The same bytes as a `Buffer`, not a copy. What comes from another thread has lost that class. */
export function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer<ArrayBuffer> {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)
}
