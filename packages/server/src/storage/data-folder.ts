/** The names of files and folders in `DATA_DIR` and in backups. */
export const dataFolder = {
  database: 'waymark.db',
  secret: 'secret.key',
  usedSignatures: 'replay.db',
  blobs: 'blobs',
  spool: 'spool',
  /** Request bodies that are being received. */
  bodies: 'temp',
  compileCache: 'cache',
} as const
