/** Listens on the given address, or on both families where there are two. */
export async function onFirstHost(
  host: string | undefined,
  listen: (host: string) => Promise<unknown>,
): Promise<void> {
  if (host !== undefined) {
    await listen(host)
    return
  }
  // A machine without IPv6 has only the other.
  await listen('::').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EAFNOSUPPORT' && error.code !== 'EADDRNOTAVAIL') throw error
    return listen('0.0.0.0')
  })
}
