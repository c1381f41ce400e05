import type { Grey } from './degrade.ts'
import { DEGRADATIONS } from './degrade.ts'

/** How well a code is read in poor conditions. */
export interface Grade {
  readonly letter: 'A' | 'B' | 'C' | 'D' | 'F'
  /** The conditions in which a decoder did not read it. */
  readonly reasons: readonly string[]
  /** The narrowest print, quiet zone included. */
  readonly min_width_mm: number
}

/** Two decoders, each of which says whether it reads the right text. */
export type Decoders = readonly [(picture: Grey) => Promise<boolean>, (picture: Grey) => Promise<boolean>]

const LETTERS = [
  [12, 'A'],
  [10, 'B'],
  [8, 'C'],
  [6, 'D'],
] as const

/** The letter for a number of degradations that both decoders read. */
export const letterOf = (read: number): Grade['letter'] =>
  LETTERS.find(([least]) => read >= least)?.[1] ?? 'F'

/** Degrades a picture in twelve ways and has each read by two decoders. */
export async function gradePicture(
  picture: Grey,
  decoders: Decoders,
): Promise<Pick<Grade, 'letter' | 'reasons'>> {
  let read = 0
  const reasons = new Set<string>()
  for (const { condition, degrade } of DEGRADATIONS) {
    const degraded = await degrade(picture)
    if ((await decoders[0](degraded)) && (await decoders[1](degraded))) read++
    else reasons.add(condition)
  }
  return { letter: letterOf(read), reasons: [...reasons] }
}
