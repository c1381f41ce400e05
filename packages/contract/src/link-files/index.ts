export { readEarlierCode, writeEarlierCode } from './earlier-codes.ts'
export { readMoment } from './moments.ts'
export {
  type Column,
  ImportFileFault,
  MOST_ROWS,
  type OwnColumns,
  type RawFile,
  type RawRow,
  type ReadingOptions,
  tooMany,
} from './raw-row.ts'
export { checkStart, readLinkFile, START_BYTES } from './read-link-file.ts'
