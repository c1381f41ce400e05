/** Something an operator asked for cannot be done; its message is the one line that is printed. */
export class RefusalError extends Error {
  override readonly name = 'RefusalError'
}
