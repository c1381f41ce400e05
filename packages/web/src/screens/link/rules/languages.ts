/** Suggested languages; any other tag can be typed. */
export const LANGUAGES: readonly string[] =
  'ar bg bn ca cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv ms nb nl pl pt ro ru sk sl sr sv sw th tr uk ur vi zh'.split(
    ' ',
  )
