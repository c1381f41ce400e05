import '../../work/request-worker.ts'
import { offerWork } from '../../work/thread-work.ts'
import { drawPreview } from './preview-picture.ts'

export const previewWork = { drawPreview }

offerWork(previewWork)
