import { resizePicture } from './sizes/resize.ts'
import { encodeUpload } from './uploads/decode.ts'

export { measurePicture } from './sizes/resize.ts'
export { lookAtUpload } from './uploads/decode.ts'

export const encode = (given: Parameters<typeof encodeUpload>): ReturnType<typeof encodeUpload> =>
  encodeUpload(...given)

export const resize = (given: Parameters<typeof resizePicture>): ReturnType<typeof resizePicture> =>
  resizePicture(...given)
