import { setCaption } from '@waymark/codes/captions'

/** A line of text as an outline, in pixels from its left end. */
export interface TextLine {
  readonly path: string
  readonly width: number
}

export interface TextBlock {
  readonly lines: readonly TextLine[]
  readonly size: number
}

interface Room {
  readonly width: number
  /** Font sizes, from the largest to the smallest legible one. */
  readonly sizes: readonly number[]
  readonly lines: number
}

/** Units per em of an outline. */
export const UNITS = 1000
const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

const widthOf = (text: string, size: number): number => (setCaption(text).width * size) / UNITS

/** The drawable part of a text; empty if leaving characters out would change its meaning. */
export const drawable = (text: string): string => {
  const pieces = [...segmenter.segment(text.replaceAll(/\s+/g, ' ').trim())].map(({ segment }) => segment)
  const spoken = pieces.filter((piece) => !/\p{Extended_Pictographic}/u.test(piece))
  const shown = spoken.filter((piece) => setCaption(piece).boxes === 0)
  return shown.length < spoken.length ? '' : shown.join('').replaceAll(/ +/g, ' ').trim()
}

/** Wraps words into lines; a word wider than a line is broken. */
const wrap = (text: string, size: number, width: number): string[] => {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ').flatMap((each) => broken(each, size, width))) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && widthOf(longer, size) > width) {
      lines.push(line)
      line = word
    } else line = longer
  }
  return line === '' ? lines : [...lines, line]
}

const broken = (word: string, size: number, width: number): string[] => {
  if (widthOf(word, size) <= width) return [word]
  const parts: string[] = []
  let part = ''
  for (const { segment } of segmenter.segment(word)) {
    if (part !== '' && widthOf(part + segment, size) > width) {
      parts.push(part)
      part = ''
    }
    part += segment
  }
  return [...parts, part]
}

const shortened = (lines: readonly string[], room: Room, size: number): string[] => {
  if (lines.length <= room.lines) return [...lines]
  const kept = lines.slice(0, room.lines)
  let last = Array.from(kept.at(-1) ?? '')
  while (last.length > 1 && widthOf(`${last.join('')}…`, size) > room.width) last = last.slice(0, -1)
  return [...kept.slice(0, -1), `${last.join('').trimEnd()}…`]
}

/** Fits a text into a box, as large as possible; a text that is too long ends with an ellipsis. */
export const setText = (text: string, room: Room): TextBlock => {
  const smallest = room.sizes.at(-1) ?? 16
  const size = room.sizes.find((each) => wrap(text, each, room.width).length <= room.lines) ?? smallest
  const lines = shortened(wrap(text, size, room.width), room, size)
  return {
    size,
    lines: lines.map((line) => ({ path: setCaption(line).path, width: widthOf(line, size) })),
  }
}
