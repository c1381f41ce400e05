import type { Grey } from './degrade.ts'
import { DEGRADATIONS } from './degrade.ts'

/** How well a code is read in poor conditions. */
export interface Grade {
  readonly letter: 'A' | 'B' | 'C' | 'D' | 'F'
  /** The conditions in which a decoder could not read it. */
  readonly reasons: readonly string[]
  /** The narrowest print, including the quiet zone. */
  readonly min_width_mm: number
}

/** A picture for decoders, four bytes per pixel. */
export interface Rgba {
  readonly width: number
  readonly height: number
  readonly data: Uint8ClampedArray
}

/** Two decoders, each of which returns whether it reads the right text. */
export type Decoders = readonly [(picture: Rgba) => Promise<boolean>, (picture: Rgba) => Promise<boolean>]

const LETTERS = [
  [12, 'A'],
  [10, 'B'],
  [8, 'C'],
  [6, 'D'],
] as const

/** The grade for the number of conditions in which both decoders read it. */
export const letterOf = (read: number): Grade['letter'] =>
  LETTERS.find(([least]) => read >= least)?.[1] ?? 'F'

/** Degrades a picture in twelve ways and tries to read each with two decoders. */
export async function gradePicture(
  picture: Grey,
  decoders: Decoders,
): Promise<Pick<Grade, 'letter' | 'reasons'>> {
  let read = 0
  const reasons = new Set<string>()
  for (const { condition, degrade } of DEGRADATIONS) {
    const degraded = rgbaOf(await degrade(picture))
    if ((await decoders[0](degraded)) && (await decoders[1](degraded))) read++
    else reasons.add(condition)
  }
  return { letter: letterOf(read), reasons: [...reasons] }
}

function rgbaOf({ width, height, data }: Grey): Rgba {
  const rgba = new Uint8ClampedArray(width * height * 4)
  const pixels = new Uint32Array(rgba.buffer)
  // Little-endian, like all platforms of Node: opacity is the last byte.
  for (let at = 0; at < data.length; at++) pixels[at] = 0xff000000 | (data[at]! * 0x010101)
  return { width, height, data: rgba }
}
