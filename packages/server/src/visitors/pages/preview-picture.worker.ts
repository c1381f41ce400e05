import '../../work/request-worker.ts'

export { drawPreview } from './preview-picture.ts'
