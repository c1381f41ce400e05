/** The characters of a component: digits, or one of the character sets 82, 39 and 64 of GS1. */
export type CharacterSet = 'N' | 'X' | 'Y' | 'Z'

/** The checks of the syntax dictionary, by its names. */
export type CheckName =
  | 'couponcode'
  | 'couponposoffer'
  | 'csum'
  | 'csumalpha'
  | 'gcppos1'
  | 'gcppos2'
  | 'hasnondigit'
  | 'hh'
  | 'hhmi'
  | 'hyphen'
  | 'iban'
  | 'importeridx'
  | 'iso3166'
  | 'iso3166999'
  | 'iso3166alpha2'
  | 'iso4217'
  | 'iso5218'
  | 'latitude'
  | 'longitude'
  | 'mediatype'
  | 'mi'
  | 'nonzero'
  | 'nozeroprefix'
  | 'packagetype'
  | 'pcenc'
  | 'pieceoftotal'
  | 'posinseqslash'
  | 'ss'
  | 'winding'
  | 'yesno'
  | 'yymmd0'
  | 'yymmdd'
  | 'yyyymmdd'
  | 'zero'

/** A part of a value. Only the last part with data may be shorter than its maximum. */
export interface Component {
  readonly set: CharacterSet
  readonly min: number
  readonly max: number
  readonly isOptional?: true
  readonly checks?: readonly CheckName[]
}

/** An application identifier, or a range of them that have everything in common. */
export interface Identifier {
  readonly first: string
  /** The last one of a range. */
  readonly last?: string
  /** The GS1 title of the data. */
  readonly title?: string
  /** No separator follows the value. */
  readonly isFixed?: true
  /** It may be in the query of a GS1 Digital Link. */
  readonly isAttribute?: true
  readonly components: readonly Component[]
  /** All identifiers of one of these groups must be there as well. A pattern such as `31nn` stands for all that match. */
  readonly requires?: readonly (readonly string[])[]
  /** None of these may be there; patterns as above. */
  readonly excludes?: readonly string[]
  /** A primary key of GS1 Digital Link; the alternatives of its qualifiers, in order. */
  readonly qualifiers?: readonly (readonly string[])[]
}
