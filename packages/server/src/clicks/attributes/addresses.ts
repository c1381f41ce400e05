const MAPPED_V4 = '::ffff:'

/** Converts an IPv4-mapped IPv6 address, as dual-stack sockets report it, to IPv4. */
export function plainAddress(address: string): string {
  return address.startsWith(MAPPED_V4) ? address.slice(MAPPED_V4.length) : address
}

const DOT = 0x2e
const ZERO = 0x30

/** The 32 bits of an IPv4 address as a signed number; `undefined` for any other text. */
export function ipv4Number(address: string): number | undefined {
  if (address.length > 15) return undefined
  let number = 0
  let part = -1
  let parts = 1
  for (let at = 0; at < address.length; at++) {
    const char = address.charCodeAt(at)
    const digit = char - ZERO
    if (char === DOT && part >= 0) {
      number = (number << 8) | part
      part = -1
      parts++
    } else if (digit >= 0 && digit <= 9 && part !== 0) {
      part = Math.max(part, 0) * 10 + digit
      if (part > 255) return undefined
    } else return undefined
  }
  return parts === 4 && part >= 0 ? (number << 8) | part : undefined
}
