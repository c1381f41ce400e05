const MAPPED_V4 = '::ffff:'

/** An IPv4 address that a socket of both kinds reports as IPv6, as what it is. */
export function plainAddress(address: string): string {
  return address.startsWith(MAPPED_V4) ? address.slice(MAPPED_V4.length) : address
}
