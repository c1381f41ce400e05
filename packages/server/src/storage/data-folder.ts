/** The names of files and folders inside `DATA_DIR`; an archive uses the same ones. */
export const dataFolder = {
  database: 'waymark.db',
  secret: 'secret.key',
  usedSignatures: 'replay.db',
  blobs: 'blobs',
  spool: 'spool',
  /** Request bodies that are being read. */
  bodies: 'temp',
  compileCache: 'cache',
} as const
