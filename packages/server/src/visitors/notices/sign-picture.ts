/** Symbols on the signpost's plate, as strokes in a box of 24 by 24. */
const glyphs = {
  question: '<path d="M8.5 9a3.5 3.5 0 1 1 5.2 3c-1.2.7-1.7 1.3-1.7 2.5M12 18h.01"/>',
  clock: '<circle cx="12" cy="12" r="8"/><path d="M12 7.5V12l3 2"/>',
  lock: '<rect x="5.5" y="11" width="13" height="8.5" rx="2"/><path d="M8.5 11V8a3.5 3.5 0 0 1 7 0v3"/>',
  eye: '<path d="M3 12s3.3-6 9-6 9 6 9 6-3.3 6-9 6-9-6-9-6z"/><circle cx="12" cy="12" r="2.6"/>',
  end: '<path d="M6 6l12 12M18 6L6 18"/>',
  stop: '<circle cx="12" cy="12" r="8"/><path d="M6.5 6.5l11 11"/>',
  wait: '<path d="M6 12h.01M12 12h.01M18 12h.01"/>',
  done: '<path d="M5 12.5l4.5 4.5L19 7.5"/>',
} as const

/** The symbol on the signpost of a page for visitors. */
export type Sign = keyof typeof glyphs

/** A signpost in the colours of the page. For something that has ended, the plate hangs down. */
export const signPicture = (sign: Sign): string =>
  `<svg class="sign" viewBox="0 0 120 96" aria-hidden="true"><path class="hill" d="M2 88c18-9 40-11 58-7s38 3 58-3"/><path class="post" d="M44 12v74"/><g${sign === 'end' ? ' transform="rotate(13 44 36)"' : ''}><path class="plate" d="M22 20h66l16 17-16 17H22a4 4 0 0 1-4-4V24a4 4 0 0 1 4-4z"/><g class="glyph" transform="translate(46 25)">${glyphs[sign]}</g></g></svg>`

/** Contour lines behind the page. */
export const CONTOURS =
  '<svg class="contours" viewBox="0 0 800 320" preserveAspectRatio="xMidYMax slice" aria-hidden="true"><path d="M-10 300c120-60 210-20 330-58s220-92 500-40M-10 262c130-62 200-24 320-66s240-96 510-44M-10 222c130-58 220-30 330-74s230-88 500-40M-10 180c140-52 210-30 330-78s240-76 490-34M-10 136c150-44 210-34 320-78S540-2 820 24"/></svg>'
