/** A command of an operator cannot be carried out; the message is the one line that is printed. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
}
