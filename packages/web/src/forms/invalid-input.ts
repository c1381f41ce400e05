/** Messages by the name of the field that they are about. */
export type FieldFaults = Readonly<Record<string, readonly string[]>>

/** Input that need not be sent to know that it is wrong. Shown at its fields, as the server's messages are. */
export class InvalidInput extends Error {
  readonly errors: FieldFaults
  constructor(errors: FieldFaults) {
    super('Some fields are not valid')
    this.errors = errors
  }
}
