import '../../runtime/request-worker.ts'
import { offerWork } from '../../runtime/thread-work.ts'
import { drawPreview } from './preview-picture.ts'

export const previewWork = { drawPreview }

offerWork(previewWork)
