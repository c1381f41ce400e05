import type { CodeFormat } from './render-code.ts'

/** A picture of a code, as a visitor has asked for it. */
export interface AskedPicture {
  readonly uuid: string
  /** Changes with everything that the picture shows. */
  readonly version: string
  readonly format: CodeFormat
  readonly scale: number
}

/** The kept file of a picture; undefined for those that are drawn each time they leave the memory. */
export const keptName = ({ uuid, version, format, scale }: AskedPicture): string | undefined =>
  scale === 1 && (format === 'svg' || format === 'png') ? `${uuid}-${version}.${format}` : undefined
