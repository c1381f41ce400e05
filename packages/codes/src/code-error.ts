/** Why a code could not be drawn: the address does not fit, the text has no such form, or an option is wrong. */
export type CodeFault = 'too_long' | 'unencodable' | 'bad_option'

/** Thrown by every drawing function; the message is a sentence fit for the person who asked. */
export class CodeError extends Error {
  readonly fault: CodeFault

  constructor(fault: CodeFault, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CodeError'
    this.fault = fault
  }
}
