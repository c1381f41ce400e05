/**
 * What tells the visitors of a day apart. No copy of the data takes these along: with a salt in a backup, the addresses
 * behind a day's clicks could be found by trial long after the day is over.
 */
export const VISITOR_TABLES = ['visitor_salts'] as const
