import '../work/request-worker.ts'
import { offerWork } from '../work/thread-work.ts'
import { measurePicture, resizePicture } from './sizes/resize.ts'
import { encodeUpload, lookAtUpload } from './uploads/decode.ts'

export const pictureWork = { lookAtUpload, encodeUpload, measurePicture, resizePicture }

offerWork(pictureWork)
