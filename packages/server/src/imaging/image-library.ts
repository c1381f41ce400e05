import type sharp from 'sharp'

type Sharp = typeof sharp

let loaded: Promise<Sharp> | undefined

/** Loaded with the first picture: a server that only has links saves its seventeen megabytes. */
export function imageLibrary(): Promise<Sharp> {
  return (loaded ??= import('sharp').then(({ default: library }) => {
    // Each thread decodes one picture at a time, and nothing is cached: uploads do not repeat, and memory is
    // limited. A small image is not faster with many threads, and requests would lose processor time.
    library.cache(false)
    library.concurrency(1)
    return library
  }))
}
