export { fixUtm, lintUtm, type UtmHistory } from './utm-linter.ts'
export { buildUtmUrl, type UtmTags } from './utm-url.ts'
