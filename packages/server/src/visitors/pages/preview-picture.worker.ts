export { drawPreview } from './preview-picture.ts'
