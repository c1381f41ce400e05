import '../runtime/request-worker.ts'
import { offerWork } from '../runtime/thread-work.ts'
import { measurePicture, resizePicture } from './sizes/resize.ts'
import { encodeUpload, lookAtUpload } from './uploads/decode.ts'

export const pictureWork = { lookAtUpload, encodeUpload, measurePicture, resizePicture }

offerWork(pictureWork)
