export interface ImportRow {
  uuid: string
  workspace_uuid: string
  state: 'ready' | 'running' | 'done' | 'failed' | 'undoing' | 'undone'
  source: string
  /** How a place in the file is called. */
  unit: 'Line' | 'Item'
  filename: string
  on_taken: 'skip' | 'rename' | 'fail' | null
  /** The name of the domain for links of unknown hosts. */
  domain: string | null
  /** The links of the file, one JSON object per line, until the import ends, or for a day after it failed. */
  file_hash: string | null
  /** The sealed key of the passwords in that file. */
  file_key: string | null
  /** How much of that file has been dealt with; moves on in the same transaction as the links. */
  read_bytes: number
  total: number
  /** Links of the stored file. */
  importable: number
  /** Those of them that cannot be created anywhere, as a preview found; it does not count them as importable. */
  unplaced: number
  /** Those whose short code is taken, as a preview found. */
  taken: number
  processed: number
  created: number
  skipped: number
  renamed: number
  /** JSON. */
  columns: string
  /** JSON. */
  first_rows: string
  /** What is wrong with the file itself. JSON. */
  problems: string
  problem_count: number
  /** What was found in a preview or a run, by comparison with the database. JSON. */
  run_problems: string
  run_problem_count: number
  error: string | null
  /** When it last had its turn: imports take turns. */
  turn_at: number
  created_at: number
  updated_at: number
  finished_at: number | null
}

/** A link that an import created. */
export interface ImportedLinkRow {
  import_uuid: string
  link_uuid: string
}
