/** Why a code could not be drawn: the text is too long, cannot be encoded, or an option is invalid. */
export type CodeFault = 'too_long' | 'unencodable' | 'bad_option'

/** Thrown by every drawing function; the message is a sentence for the user. */
export class CodeError extends Error {
  readonly fault: CodeFault

  constructor(fault: CodeFault, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CodeError'
    this.fault = fault
  }
}
