/**
 * Remembers what a function returned for a text. A full map starts over: whatever is worth remembering is back in it
 * at once.
 */
export function remembered<V extends {}>(maxEntries: number, read: (text: string) => V): (text: string) => V {
  const known = new Map<string, V>()
  return (text) => {
    const value = known.get(text)
    if (value !== undefined) return value
    const fresh = read(text)
    if (known.size >= maxEntries) known.clear()
    known.set(ownText(text), fresh)
    return fresh
  }
}

/** A copy: a header's value is cut out of the text of a whole request, which V8 keeps in memory as long as the piece. */
function ownText(piece: string): string {
  return Buffer.from(piece).toString()
}
