import { DEGRADATIONS } from './degrade.ts'
import { type Grey, rgbaOf, type Rgba } from './grey.ts'

/** How well a code is read in poor conditions. */
export interface Grade {
  readonly letter: 'A' | 'B' | 'C' | 'D' | 'F'
  /** The conditions in which a decoder could not read it. */
  readonly reasons: readonly string[]
  /** The narrowest print, including the quiet zone. */
  readonly min_width_mm: number
}

/** The part of a grade that depends on the picture alone. */
export type Legibility = Pick<Grade, 'letter' | 'reasons'>

/** Two decoders, each of which returns whether it reads the right text. */
export type Decoders = readonly [(picture: Rgba) => Promise<boolean>, (picture: Rgba) => Promise<boolean>]

const LETTERS = [
  [12, 'A'],
  [10, 'B'],
  [8, 'C'],
  [6, 'D'],
] as const

/** The grade for the number of degraded pictures that both decoders read. */
export const letterOf = (read: number): Grade['letter'] =>
  LETTERS.find(([least]) => read >= least)?.[1] ?? 'F'

/** Degrades a picture in twelve ways and tries to read each with two decoders. */
export async function gradePicture(picture: Grey, [first, second]: Decoders): Promise<Legibility> {
  const isRead = async (degraded: Grey): Promise<boolean> => {
    const pixels = rgbaOf(degraded)
    return (await first(pixels)) && (await second(pixels))
  }
  let read = 0
  const reasons: string[] = []
  for (const { condition, mild, harsh } of DEGRADATIONS) {
    // A picture that is read in the harsh form counts as read in the mild one, which halves the time.
    if (await isRead(harsh(picture))) read += 2
    else {
      reasons.push(condition)
      if (await isRead(mild(picture))) read++
    }
  }
  return { letter: letterOf(read), reasons }
}
