import type sharp from 'sharp'

type Sharp = typeof sharp

let loaded: Promise<Sharp> | undefined

/** Loaded with the first picture: a server of links alone does without its seventeen megabytes. */
export function imageLibrary(): Promise<Sharp> {
  return (loaded ??= import('sharp').then(({ default: library }) => {
    // One picture at a time is decoded by each thread, and nothing is kept: uploads do not repeat, and memory is
    // dear. A small image is not faster with many threads, and requests lose the cores that they take.
    library.cache(false)
    library.concurrency(1)
    return library
  }))
}
