/** Something an operator asked for cannot be done; its message is the one line that is printed. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
}
