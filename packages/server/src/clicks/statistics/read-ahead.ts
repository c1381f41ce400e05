/** Reads the next piece while the caller works on the present one. */
export async function* readAhead<Piece, Read>(
  pieces: readonly Piece[],
  read: (piece: Piece) => Promise<Read>,
): AsyncGenerator<readonly [Piece, Read]> {
  const begin = (at: number): Promise<Read> | undefined => {
    const piece = pieces[at]
    const reading = piece === undefined ? undefined : read(piece)
    // A failure is thrown when it is its turn; a caller that stops before does not want to know.
    reading?.catch(() => undefined)
    return reading
  }
  let coming = begin(0)
  for (const [at, piece] of pieces.entries()) {
    const present = await coming
    coming = begin(at + 1)
    yield [piece, present as Read]
  }
}

export function inPieces<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size))
}
