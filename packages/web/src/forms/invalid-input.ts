/** Messages by field name. */
export type FieldFaults = Readonly<Record<string, readonly string[]>>

/** Input that is known to be invalid before it is sent. Shown at its fields, like messages of the server. */
export class InvalidInput extends Error {
  readonly errors: FieldFaults
  constructor(errors: FieldFaults) {
    super('Some fields are not valid')
    this.errors = errors
  }
}
